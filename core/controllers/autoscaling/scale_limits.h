// How far and how fast an autoscaler may go: stabilization windows and the policies of its
// behaviour. Source: upstream 1.36 pkg/controller/podautoscaler/horizontal.go.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers {

// What an autoscaler recommended and did lately.
struct ScaleHistory {
  struct Entry {
    Time time;
    std::int64_t replicas = 0;  // recommended, or by how many it changed
  };
  std::vector<Entry> recommendations, ups, downs;

  // Notes that the replicas were changed.
  void note(std::int64_t before, std::int64_t after, Time now);
};

// A number of replicas within limits, and what the autoscaler tells about it.
struct LimitedScale {
  std::int64_t replicas = 0;
  std::string_view able_reason, able_message;  // of the condition AbleToScale
  bool is_limited = false;
  std::string_view limit_reason, limit_message;  // of the condition ScalingLimited
};
struct ScaleWish {
  std::int64_t current = 0, desired = 0, least = 0, most = 0;
};
// `behaviour` is spec.behavior; null: the usual limits. Notes the recommendation in `history`.
LimitedScale limit_scale(const ScaleWish& wish, const json::Value* behaviour, Time now,
                         ScaleHistory& history);

}  // namespace tabernetes::controllers
