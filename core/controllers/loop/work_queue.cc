#include "controllers/loop/work_queue.h"

#include <algorithm>

namespace tabernetes::controllers {
namespace {

constexpr Duration kPeriodicFrom = Duration::from_seconds(1);

}  // namespace

void WorkQueue::add(std::string_view key, Time due, Recurrence recurrence) {
  const auto known = queued_.find(key);
  if (known == queued_.end()) {
    const Place place{due, added_++};
    keys_.emplace(place, key);
    queued_.emplace(key, Queued{place, recurrence});
    if (recurrence == Recurrence::kOnce) once_.insert(place);
    return;
  }
  Queued& queued = known->second;
  if (recurrence == Recurrence::kOnce) queued.recurrence = recurrence;
  if (due < queued.place.due) {
    auto entry = keys_.extract(queued.place);
    once_.erase(queued.place);
    queued.place = {due, added_++};
    entry.key() = queued.place;
    keys_.insert(std::move(entry));
  }
  if (queued.recurrence == Recurrence::kOnce) once_.insert(queued.place);
}

void WorkQueue::add_rate_limited(std::string_view key, Time now, const RateLimit& limit) {
  auto known = failures_.find(key);
  if (known == failures_.end()) known = failures_.emplace(std::string(key), 0).first;
  const int doublings = std::min(known->second++, 20);
  const Duration backoff{limit.first.nanoseconds << doublings};
  add(key, now + std::min(backoff, limit.longest),
      backoff < kPeriodicFrom ? Recurrence::kOnce : Recurrence::kPeriodic);
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

std::optional<Time> WorkQueue::next_once() const {
  if (once_.empty()) return std::nullopt;
  return once_.begin()->due;
}

std::optional<std::string> WorkQueue::take(Time now) {
  if (keys_.empty() || keys_.begin()->first.due > now) return std::nullopt;
  std::string key = std::move(keys_.begin()->second);
  once_.erase(keys_.begin()->first);
  keys_.erase(keys_.begin());
  queued_.erase(key);
  return key;
}

void WorkQueue::clear() {
  keys_.clear();
  queued_.clear();
  once_.clear();
  failures_.clear();
}

}  // namespace tabernetes::controllers
