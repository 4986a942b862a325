// The scores of nodes for a pod. Source: upstream 1.36 pkg/scheduler/framework/plugins,
// apis/config/v1/default_plugins.go (weights).
#pragma once

#include <cstdint>
#include <vector>

#include "controllers/scheduler/cache.h"

namespace tabernetes::controllers::scheduling {

// Returns the total score of each of `nodes`. `defaults` are the constraints of pods without own
// ones.
std::vector<std::int64_t> score_nodes(Cache& cache, const PodInfo& pod,
                                      const std::vector<SpreadConstraint>& defaults,
                                      const std::vector<int>& nodes);

}  // namespace tabernetes::controllers::scheduling
