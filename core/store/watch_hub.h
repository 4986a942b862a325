// Notifies watchers of changes. A watcher is a cursor into the history with a key prefix; the hub
// finds the watchers of a key through an index by prefix and only wakes them: they read the history
// themselves.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "store/history.h"

namespace tabernetes::store {

class WatchHub {
 public:
  // Callbacks may only record the fact: they must not call back into the hub or the store.
  class Watcher {
   public:
    virtual ~Watcher() = default;
    // A change under the prefix was appended to the history.
    virtual void changed() = 0;
    // The store was restored to another state, which continues nothing that came before; the
    // watcher has been removed.
    virtual void interrupted() = 0;
  };

  WatchHub() = default;
  WatchHub(const WatchHub&) = delete;
  WatchHub& operator=(const WatchHub&) = delete;

  // `prefix` is empty (every key), ends in '/', or is a full key. The hub does not own the watcher:
  // remove it, with the same prefix, before it is destroyed.
  void add(std::string_view prefix, Watcher* watcher);
  void remove(std::string_view prefix, Watcher* watcher);

  // Notifies the watchers of the event's key; watchers of other keys cost nothing.
  void publish(const Event& event);
  // Removes all watchers and notifies them.
  void interrupt_all();
  std::size_t size() const { return count_; }

 private:
  using Group = std::vector<Watcher*>;

  void tell(std::string_view prefix);

  std::map<std::string, Group, std::less<>> groups_;  // by prefix; no group is empty
  std::size_t count_ = 0;
};

}  // namespace tabernetes::store
