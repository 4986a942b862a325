// The work queue of a control loop. Each key is queued once, at the earliest requested time, after
// keys queued before for the same time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tabernetes/time.h"

namespace tabernetes::controllers {

class WorkQueue {
 public:
  void add(std::string_view key, Time due);
  // Adds a key whose reconciliation failed: 5 ms from now, then 10 ms, and so on to 1000 s, until
  // forget().
  void add_rate_limited(std::string_view key, Time now);
  // Forgets the failures of a key.
  void forget(std::string_view key);
  // Returns how often the key was added after a failure.
  int failures(std::string_view key) const;
  std::optional<Time> next() const;
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

  std::map<Place, std::string> keys_;
  std::map<std::string, Place, std::less<>> places_;
  std::map<std::string, int, std::less<>> failures_;
  std::uint64_t added_ = 0;
};

}  // namespace tabernetes::controllers
