// Loops that look at everything in intervals do so at multiples of the interval, and only when
// there is something to see.
#pragma once

#include "tabernetes/time.h"

namespace tabernetes::controllers {

// Returns the first multiple of `interval` from `time` on.
inline Time next_tick(Time time, Duration interval) {
  const std::int64_t rest = time.unix_nanoseconds % interval.nanoseconds;
  return rest == 0 ? time : Time{time.unix_nanoseconds + interval.nanoseconds - rest};
}

}  // namespace tabernetes::controllers
