#include "controllers/loop/work_queue.h"

namespace tabernetes::controllers {

void WorkQueue::add(std::string_view key, Time due) {
  const auto known = places_.find(key);
  if (known == places_.end()) {
    const Place place{due, added_++};
    keys_.emplace(place, key);
    places_.emplace(key, place);
  } else if (due < known->second.due) {
    keys_.erase(known->second);
    known->second = {due, added_++};
    keys_.emplace(known->second, key);
  }
}

std::optional<Time> WorkQueue::next() const {
  if (keys_.empty()) return std::nullopt;
  return keys_.begin()->first.due;
}

std::optional<std::string> WorkQueue::take(Time now) {
  if (keys_.empty() || keys_.begin()->first.due > now) return std::nullopt;
  std::string key = std::move(keys_.begin()->second);
  keys_.erase(keys_.begin());
  places_.erase(key);
  return key;
}

void WorkQueue::clear() {
  keys_.clear();
  places_.clear();
}

}  // namespace tabernetes::controllers
