// Tells watchers of changes. A watcher is a cursor into the history, with a key prefix; the hub
// finds the watchers of a key through an index by prefix and only wakes them: they read the
// history themselves.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/history.h"

namespace tabernetes::store {

class WatchHub {
 public:
  // A registration; ends when destroyed.
  class Watcher {
   public:
    virtual ~Watcher() = default;
    // A change under the prefix was appended to the history. May note the fact and nothing else.
    virtual void changed() = 0;
    // The store went to another state: nothing that follows continues what came before.
    virtual void interrupted() = 0;
  };

  // `prefix` ends in '/', or is a full key. The hub keeps no ownership: remove before destroying.
  void add(std::string_view prefix, Watcher* watcher);
  void remove(std::string_view prefix, Watcher* watcher);

  void publish(const Event& event);
  void interrupt_all();
  std::size_t size() const { return count_; }

 private:
  std::map<std::string, std::vector<Watcher*>, std::less<>> watchers_;
  std::size_t count_ = 0;
};

}  // namespace tabernetes::store
