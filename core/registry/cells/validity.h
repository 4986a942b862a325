// The times at which a text that depends on the current time, such as an age, does not change.
#pragma once

#include <algorithm>
#include <limits>

#include "tabernetes/time.h"

namespace tabernetes::registry {

// The times from `from` up to, but not including, `until`. Unlimited by default.
struct Validity {
  Time from{std::numeric_limits<std::int64_t>::min()};
  Time until{std::numeric_limits<std::int64_t>::max()};

  bool covers(Time now) const { return from <= now && now < until; }
  void intersect(Time later, Time earlier) {
    from = std::max(from, later);
    until = std::min(until, earlier);
  }
};

}  // namespace tabernetes::registry
