// The kinds of metrics.k8s.io. No stored CustomResourceDefinition defines them, and none of their
// objects is stored: a server whose nodes are simulated computes them. They are served while their
// APIService is stored.
#pragma once

#include "registry/kind/dynamic_kind.h"

namespace tabernetes::registry::custom {

inline constexpr std::string_view kMetricsGroup = "metrics.k8s.io";

// Returns what makes tables of stored definitions, and of NodeMetrics and PodMetrics.
const Definitions& definitions_and_metrics();

}  // namespace tabernetes::registry::custom
