// The time that the host passes in: the machine's, or one that stands still.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "tabernetes/time.h"

namespace tabernetes::host {

class Clock {
 public:
  // `fixed`: --clock, which moves only when the core is told to.
  explicit Clock(std::optional<Time> fixed)
      : stands_still_(fixed.has_value()), set_to_(fixed ? fixed->unix_nanoseconds : 0) {}

  bool stands_still() const { return stands_still_; }

  // From any thread.
  Time now() const {
    const std::int64_t set_to = set_to_.load(std::memory_order_relaxed);
    return stands_still_ ? Time{set_to} : machine_time() + Duration{set_to};
  }

  // The core's time was moved to `time` by hand (POST /-/tabernetes/clock): run on from there.
  // One caller at a time.
  void follow(Time time) {
    if (stands_still_) {
      set_to_.store(time.unix_nanoseconds, std::memory_order_relaxed);
    } else if (time > now()) {
      set_to_.store((time - machine_time()).nanoseconds, std::memory_order_relaxed);
    }
  }

 private:
  static Time machine_time() {
    const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
    return Time{std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count()};
  }

  const bool stands_still_;
  // The time at which it stands, or the lead of the cluster's time over the machine's.
  std::atomic<std::int64_t> set_to_;
};

}  // namespace tabernetes::host
