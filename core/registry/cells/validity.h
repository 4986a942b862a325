// When what was made at one time may be shown at another: the cells of tables tell ages.
#pragma once

#include <algorithm>
#include <limits>

#include "tabernetes/time.h"

namespace tabernetes::registry {

// From `from` on and before `until`; for ever if nobody narrows it.
struct Validity {
  Time from{std::numeric_limits<std::int64_t>::min()};
  Time until{std::numeric_limits<std::int64_t>::max()};

  bool covers(Time now) const { return from <= now && now < until; }
  void narrow(Time later, Time earlier) {
    from = std::max(from, later);
    until = std::min(until, earlier);
  }
};

}  // namespace tabernetes::registry
