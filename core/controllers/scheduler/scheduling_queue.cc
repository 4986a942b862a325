#include "controllers/scheduler/scheduling_queue.h"

#include <algorithm>
#include <vector>

namespace tabernetes::controllers::scheduling {
namespace {

constexpr std::int64_t kInitialBackoff = 1;
constexpr std::int64_t kMaxBackoff = 10;
constexpr Duration kFlushAfter = Duration::from_seconds(300);

}  // namespace

bool SchedulingQueue::Rank::operator<(const Rank& other) const {
  if (backoff != other.backoff) return backoff < other.backoff;
  if (priority != other.priority) return priority > other.priority;
  if (since != other.since) return since < other.since;
  return number < other.number;
}

SchedulingQueue::Rank SchedulingQueue::rank_of(const Entry& entry) {
  return {entry.place == Place::kBackoff ? entry.backoff : Time{}, entry.queued.pod->priority,
          entry.queued.since, entry.number};
}

// Back-offs end at whole seconds, so that pods of about the same time go by priority.
Time SchedulingQueue::backoff_end(const QueuedPod& pod) {
  const int count = pod.errors > 0 ? pod.errors : pod.refusals;
  if (count == 0) return {};
  const std::int64_t seconds =
      count > 4 ? kMaxBackoff : std::min(kInitialBackoff << (count - 1), kMaxBackoff);
  return Time::from_unix_milliseconds((pod.since + Duration::from_seconds(seconds)).unix_seconds() *
                                      1000);
}

void SchedulingQueue::put(const std::string& key, Entry& entry, Place place, Time due) {
  entry.place = place;
  entry.due = due;
  if (place == Place::kUnschedulable) {
    unschedulable_.emplace(due, key);
    return;
  }
  (place == Place::kActive ? active_ : backoff_).emplace(rank_of(entry), key);
  dues_.emplace(due, key);
}

void SchedulingQueue::take_out(const std::string& key, const Entry& entry) {
  if (entry.place == Place::kUnschedulable) {
    unschedulable_.erase({entry.due, key});
    return;
  }
  (entry.place == Place::kActive ? active_ : backoff_).erase(rank_of(entry));
  dues_.erase({entry.due, key});
}

void SchedulingQueue::add(const PodPtr& pod, Time now, Time due, bool held) {
  const std::string key = pod->key();
  remove(key);
  Entry& entry = entries_[key];
  entry.queued.pod = pod;
  entry.queued.since = now;
  entry.number = added_++;
  if (pod->gated) {
    entry.queued.refused_by.add(Plugin::kSchedulingGates);
    put(key, entry, Place::kUnschedulable, now + kFlushAfter);
  } else if (held) {
    entry.queued.held = true;
    entry.queued.refused_by.add(Plugin::kDynamicResources);
    put(key, entry, Place::kUnschedulable, now + kFlushAfter);
  } else {
    put(key, entry, Place::kActive, due);
  }
}

const QueuedPod* SchedulingQueue::find(const std::string& key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second.queued;
}

void SchedulingQueue::update(const PodPtr& pod) {
  const std::string key = pod->key();
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  Entry& entry = found->second;
  take_out(key, entry);
  entry.queued.pod = pod;
  put(key, entry, entry.place, entry.due);
}

void SchedulingQueue::remove(const std::string& key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  take_out(key, found->second);
  entries_.erase(found);
}

// Makes pods active whose back-off is over, and moves those that have waited too long.
void SchedulingQueue::wake(Time now, Time due) {
  while (!backoff_.empty() && backoff_.begin()->first.backoff <= now) {
    const std::string key = backoff_.begin()->second;
    Entry& entry = entries_.at(key);
    take_out(key, entry);
    put(key, entry, Place::kActive, entry.due);
  }
  while (!unschedulable_.empty() && unschedulable_.begin()->first <= due) {
    const std::string key = unschedulable_.begin()->second;
    Entry& entry = entries_.at(key);
    if (entry.queued.pod->gated || entry.queued.held) {
      take_out(key, entry);
      put(key, entry, Place::kUnschedulable, now + kFlushAfter);
    } else {
      requeue(key, entry, now, now);
    }
  }
}

std::optional<QueuedPod> SchedulingQueue::pop(Time now, Time due) {
  wake(now, due);
  for (auto* places : {&active_, &backoff_}) {
    for (const auto& [rank, name] : *places) {
      const auto found = entries_.find(name);
      if (found->second.due > due) continue;
      const std::string key = name;
      take_out(key, found->second);
      QueuedPod queued = std::move(found->second.queued);
      entries_.erase(found);
      return queued;
    }
  }
  return std::nullopt;
}

void SchedulingQueue::add_unschedulable(QueuedPod pod, Time now, bool retries) {
  const std::string key = pod.pod->key();
  remove(key);
  Entry& entry = entries_[key];
  entry.queued = std::move(pod);
  QueuedPod& queued = entry.queued;
  if (queued.refused_by.empty()) {
    ++queued.errors;
  } else {
    ++queued.refusals;
    queued.errors = 0;
  }
  queued.since = now;
  entry.backoff = backoff_end(queued);
  entry.number = added_++;
  if (retries) {
    put(key, entry, Place::kBackoff, entry.backoff < now ? now : entry.backoff);
  } else {
    put(key, entry, Place::kUnschedulable, now + kFlushAfter);
  }
}

void SchedulingQueue::requeue(const std::string& key, Entry& entry, Time now, Time due) {
  take_out(key, entry);
  entry.queued.held = false;
  put(key, entry, entry.backoff >= now ? Place::kBackoff : Place::kActive, due);
}

void SchedulingQueue::move(Time now, Time due, const std::function<bool(const QueuedPod&)>& worth) {
  std::vector<std::string> keys;
  for (const auto& [flush, key] : unschedulable_) {
    const QueuedPod& queued = entries_.at(key).queued;
    if (!queued.pod->gated && worth(queued)) keys.push_back(key);
  }
  for (const std::string& key : keys) requeue(key, entries_.at(key), now, due);
}

void SchedulingQueue::move_one(const std::string& key, Time now, Time due) {
  const auto found = entries_.find(key);
  if (found != entries_.end() && found->second.place == Place::kUnschedulable) {
    requeue(key, found->second, now, due);
  }
}

std::optional<Time> SchedulingQueue::next() const {
  std::optional<Time> first;
  if (!dues_.empty()) first = dues_.begin()->first;
  if (!unschedulable_.empty() && (!first || unschedulable_.begin()->first < *first)) {
    first = unschedulable_.begin()->first;
  }
  return first;
}

std::optional<Time> SchedulingQueue::next_once() const {
  return dues_.empty() ? std::nullopt : std::optional(dues_.begin()->first);
}

void SchedulingQueue::clear() {
  entries_.clear();
  active_.clear();
  backoff_.clear();
  unschedulable_.clear();
  dues_.clear();
}

}  // namespace tabernetes::controllers::scheduling
