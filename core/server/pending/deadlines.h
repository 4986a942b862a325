// What is to happen at a later time: ends of watches, bookmarks, answers that wait.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "tabernetes/time.h"

namespace tabernetes::server {

class Deadlines {
 public:
  using Action = std::function<void()>;
  using Handle = std::multimap<Time, Action>::iterator;

  Handle add(Time when, Action action) { return actions_.emplace(when, std::move(action)); }
  void cancel(Handle handle) { actions_.erase(handle); }

  std::optional<Time> next() const {
    if (actions_.empty()) return std::nullopt;
    return actions_.begin()->first;
  }

  // Runs everything due at `now`, in order of time. An action's handle is gone before it runs.
  void run(Time now) {
    while (!actions_.empty() && actions_.begin()->first <= now) {
      const Action action = std::move(actions_.begin()->second);
      actions_.erase(actions_.begin());
      action();
    }
  }

 private:
  std::multimap<Time, Action> actions_;
};

}  // namespace tabernetes::server
