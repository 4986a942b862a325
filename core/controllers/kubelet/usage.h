// What running pods use, as their rules say.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "controllers/kubelet/behaviour_rules.h"
#include "json/value.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers::kubelet {

// What a node uses beside its pods.
inline constexpr std::int64_t kNodeCpu = 100'000'000, kNodeMemory = std::int64_t{512} << 20;

struct ContainerUsage {
  std::string_view name;  // a view of the pod
  Time started;
  UsagePoint usage;
};

// Returns the containers of a pod that run at `now`; none of a pod that is not bound.
std::vector<ContainerUsage> usage_of_pod(const json::Value& pod, const BehaviourRules& rules,
                                         Time now);

// Returns the sum; `after` is that of the container that has run longest.
UsagePoint sum_of(const std::vector<ContainerUsage>& containers);

}  // namespace tabernetes::controllers::kubelet
