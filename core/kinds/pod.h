// Pods: the status of a new one. Source: spec/lifecycle.md 1.4.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

// Returns Guaranteed, Burstable or BestEffort, according to the containers' resources. Source:
// upstream 1.36 pkg/apis/core/v1/helper/qos, ComputePodQOS.
std::string_view quality_of_service(const json::Value& pod);

// Copies AppArmor annotations to the containers' fields, with a warning. Source: upstream 1.36
// pkg/registry/core/pod/strategy.go, applyAppArmorVersionSkew.
void copy_app_armor_annotations(const HookContext& context, json::Value& pod);

void prepare_pod_for_create(const HookContext& context, json::Value& object);

}  // namespace tabernetes::registry::kinds
