// The cluster's time in the host: the machine's time, or a fixed time.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "tabernetes/time.h"

namespace tabernetes::host {

class Clock {
 public:
  // `fixed`: --clock, which moves only when a request moves the core's time.
  explicit Clock(std::optional<Time> fixed)
      : fixed_(fixed.has_value()),
        stands_still_(fixed_),
        standing_(fixed ? fixed->unix_nanoseconds : 0) {}

  // Returns the machine's time.
  static Time machine_time() {
    const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
    return Time{std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count()};
  }

  // Callable from any thread.
  bool stands_still() const { return stands_still_.load(std::memory_order_acquire); }
  Time now() const {
    if (stands_still()) return Time{standing_.load(std::memory_order_relaxed)};
    return machine_time() + Duration{lead_.load(std::memory_order_relaxed)};
  }

  // Goes on from `time`, to which a request (POST /-/tabernetes/clock) moved the core, or stands
  // still there as long as the core is `paused`. REQUIRES: one caller at a time.
  void follow(Time time, bool paused) {
    if (fixed_ || paused) {
      standing_.store(time.unix_nanoseconds, std::memory_order_relaxed);
      stands_still_.store(true, std::memory_order_release);
    } else if (stands_still() || time > now()) {
      lead_.store((time - machine_time()).nanoseconds, std::memory_order_relaxed);
      stands_still_.store(false, std::memory_order_release);
    }
  }

 private:
  const bool fixed_;
  std::atomic<bool> stands_still_;
  // In nanoseconds: the time at which it stands still, and its lead over the machine's otherwise.
  std::atomic<std::int64_t> standing_;
  std::atomic<std::int64_t> lead_ = 0;
};

}  // namespace tabernetes::host
