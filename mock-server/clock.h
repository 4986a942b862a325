// The time that the host passes in: the machine's, or one that stands still.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "tabernetes/time.h"

namespace tabernetes::host {

class Clock {
 public:
  // `fixed`: --clock, which moves only when the core is told to.
  explicit Clock(std::optional<Time> fixed) : stands_still_(fixed.has_value()) {
    if (fixed) fixed_ = *fixed;
  }

  bool stands_still() const { return stands_still_; }

  Time now() const { return stands_still_ ? fixed_ : machine_time() + lead_; }

  // The core's time was moved to `time` by hand (POST /-/tabernetes/clock): run on from there.
  void follow(Time time) {
    if (stands_still_) {
      fixed_ = time;
    } else if (time > now()) {
      lead_ = time - machine_time();
    }
  }

 private:
  static Time machine_time() {
    const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
    return Time{std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count()};
  }

  bool stands_still_;
  Time fixed_;
  Duration lead_;  // of the cluster's time over the machine's
};

}  // namespace tabernetes::host
