// The kinds of metrics.k8s.io. No stored CustomResourceDefinition defines them, and none of their
// objects is stored: a server whose nodes are simulated computes them.
#pragma once

#include "registry/kind/dynamic_kind.h"

namespace tabernetes::registry::custom {

inline constexpr std::string_view kMetricsGroup = "metrics.k8s.io";

// Returns `table` with NodeMetrics and PodMetrics.
Definitions::TablePtr with_metrics(const Definitions::TablePtr& table);

// Returns what makes tables of stored definitions, and of those two.
const Definitions& definitions_and_metrics();

}  // namespace tabernetes::registry::custom
