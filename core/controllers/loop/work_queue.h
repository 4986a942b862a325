// The work queue of a control loop. Each key is queued once, at the earliest requested time, after
// keys queued before for the same time.
//
// Work is periodic if it comes again by itself while nothing in the cluster changes: heartbeats,
// resyncs, schedules, retries after a back-off. A cluster with only such work left is settled.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tabernetes/time.h"

namespace tabernetes::controllers {

enum class Recurrence : std::uint8_t { kOnce, kPeriodic };

class WorkQueue {
 public:
  // A key that is queued for both kinds of work counts as kOnce.
  void add(std::string_view key, Time due, Recurrence recurrence = Recurrence::kOnce);
  // How long the first retry of a key waits, and how long the last at most.
  struct RateLimit {
    Duration first = Duration::from_milliseconds(5), longest = Duration::from_seconds(1000);
  };
  // Adds a key whose reconciliation failed: after the first wait, then after twice as long, and so
  // on, until forget(). Retries after a second or more are periodic work.
  void add_rate_limited(std::string_view key, Time now) { add_rate_limited(key, now, RateLimit()); }
  void add_rate_limited(std::string_view key, Time now, const RateLimit& limit);
  // Forgets the failures of a key.
  void forget(std::string_view key);
  // Returns how often the key was added after a failure.
  int failures(std::string_view key) const;
  std::optional<Time> next() const;
  // Returns when the first key is due that is not queued for periodic work alone.
  std::optional<Time> next_once() const;
  // Removes and returns the first key that is due at `now`.
  std::optional<std::string> take(Time now);
  void clear();

 private:
  struct Place {
    Time due;
    std::uint64_t number = 0;
    friend bool operator<(const Place& a, const Place& b) {
      return a.due == b.due ? a.number < b.number : a.due < b.due;
    }
  };

  struct Queued {
    Place place;
    Recurrence recurrence;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::map<Place, std::string> keys_;
  std::unordered_map<std::string, Queued, Hash, std::equal_to<>> queued_;
  std::set<Place> once_;  // the places of keys that are queued for work that is not periodic
  std::map<std::string, int, std::less<>> failures_;
  std::uint64_t added_ = 0;
};

}  // namespace tabernetes::controllers
