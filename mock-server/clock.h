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
      : stands_still_(fixed.has_value()), set_to_(fixed ? fixed->unix_nanoseconds : 0) {}

  bool stands_still() const { return stands_still_; }

  // Callable from any thread.
  Time now() const {
    const std::int64_t set_to = set_to_.load(std::memory_order_relaxed);
    return stands_still_ ? Time{set_to} : machine_time() + Duration{set_to};
  }

  // Continues from `time`, to which a request (POST /-/tabernetes/clock) moved the core. REQUIRES:
  // one caller at a time.
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
  // The fixed time, or the cluster's lead over the machine's time; in nanoseconds.
  std::atomic<std::int64_t> set_to_;
};

}  // namespace tabernetes::host
