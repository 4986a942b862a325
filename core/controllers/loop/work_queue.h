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
  std::uint64_t added_ = 0;
};

}  // namespace tabernetes::controllers
