// How long a refused client should wait, by how many were refused lately. Source: upstream 1.36
// apiserver/pkg/util/flowcontrol/dropped_requests_tracker.go.
#pragma once

#include <cstdint>
#include <vector>

#include "tabernetes/time.h"

namespace tabernetes::server {

class RetryAfter {
 public:
  // Counts a request that is refused now.
  void note(Time now);
  int seconds() const { return static_cast<int>(seconds_); }

 private:
  struct Second {
    std::int64_t at = 0, refused = 0;
  };
  void judge();

  static constexpr std::int64_t kMost = 32;
  std::vector<Second> past_;
  Second current_;
  std::int64_t seconds_ = 1, raised_ = 0;
};

}  // namespace tabernetes::server
