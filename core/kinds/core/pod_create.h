// New pods: their defaults and status. Source: spec/defaults-validation.md 1.1 to 1.3;
// spec/lifecycle.md 1.4, 1.11.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

// Returns Guaranteed, Burstable or BestEffort, according to the containers' resources. Source:
// upstream 1.36 pkg/apis/core/v1/helper/qos, ComputePodQOS.
std::string_view quality_of_service(const json::Value& pod);

void set_pod_defaults(const HookContext& context, json::Value& pod);
void prepare_pod_for_create(const HookContext& context, json::Value& object);

}  // namespace tabernetes::registry::kinds
