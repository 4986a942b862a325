// Pods: the status a new one has. Source: spec/lifecycle.md 1.4.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

// Guaranteed, Burstable or BestEffort, by what the containers ask for.
// Source: upstream 1.36 pkg/apis/core/v1/helper/qos, ComputePodQOS.
std::string_view quality_of_service(const json::Value& pod);

// What annotations of AppArmor say becomes the containers' own fields, with a warning.
// Source: upstream 1.36 pkg/registry/core/pod/strategy.go, applyAppArmorVersionSkew.
void take_app_armor_annotations(const HookContext& context, json::Value& pod);

void prepare_pod_for_create(const HookContext& context, json::Value& object);

}  // namespace tabernetes::registry::kinds
