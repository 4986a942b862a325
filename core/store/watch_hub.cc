#include "store/watch_hub.h"

#include <algorithm>
#include <utility>

namespace tabernetes::store {

void WatchHub::add(std::string_view prefix, Watcher* watcher) {
  groups_[std::string(prefix)].push_back(watcher);
  ++count_;
}

void WatchHub::remove(std::string_view prefix, Watcher* watcher) {
  const auto group = groups_.find(prefix);
  if (group == groups_.end()) return;
  Group& watchers = group->second;
  const auto found = std::find(watchers.begin(), watchers.end(), watcher);
  if (found == watchers.end()) return;
  watchers.erase(found);
  --count_;
  if (watchers.empty()) groups_.erase(group);
}

void WatchHub::publish(const Event& event) {
  if (count_ == 0) return;
  tell({});
  for (std::size_t at = event.key.find('/'); at != std::string_view::npos;
       at = event.key.find('/', at + 1)) {
    tell(event.key.substr(0, at + 1));
  }
  tell(event.key);
}

void WatchHub::interrupt_all() {
  const auto groups = std::exchange(groups_, {});
  count_ = 0;
  for (const auto& [prefix, group] : groups) {
    for (Watcher* watcher : group) watcher->interrupted();
  }
}

void WatchHub::tell(std::string_view prefix) {
  const auto group = groups_.find(prefix);
  if (group == groups_.end()) return;
  for (Watcher* watcher : group->second) watcher->changed();
}

}  // namespace tabernetes::store
