// What pods use, as metrics.k8s.io tells it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json/value.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers {

class PodUsage {
 public:
  struct Container {
    std::string name;
    std::int64_t milli_cpu = 0;
    std::int64_t memory_bytes = 0;
  };
  struct Sample {
    Time time;        // the end of the window
    Duration window;  // over which it was measured
    std::vector<Container> containers;
  };

  // Returns what the pod uses at `now`; nullopt if there are no metrics of it (yet).
  virtual std::optional<Sample> usage_of(const json::Value& pod, Time now) const = 0;

 protected:
  ~PodUsage() = default;
};

}  // namespace tabernetes::controllers
