#include "controllers/loop/work_queue.h"

#include <algorithm>

namespace tabernetes::controllers {
namespace {

constexpr Duration kFirstBackoff = Duration::from_milliseconds(5);
constexpr Duration kLongestBackoff = Duration::from_seconds(1000);

}  // namespace

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

void WorkQueue::add_rate_limited(std::string_view key, Time now) {
  auto known = failures_.find(key);
  if (known == failures_.end()) known = failures_.emplace(std::string(key), 0).first;
  const int doublings = std::min(known->second++, 20);
  const Duration backoff{kFirstBackoff.nanoseconds << doublings};
  add(key, now + std::min(backoff, kLongestBackoff));
}

void WorkQueue::forget(std::string_view key) {
  if (const auto known = failures_.find(key); known != failures_.end()) failures_.erase(known);
}

int WorkQueue::failures(std::string_view key) const {
  const auto known = failures_.find(key);
  return known == failures_.end() ? 0 : known->second;
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
  failures_.clear();
}

}  // namespace tabernetes::controllers
