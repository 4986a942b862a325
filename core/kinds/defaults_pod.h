// What a pod, and the pod template of every workload, has when the client does not say.
// Source: spec/defaults-validation.md 1.1 to 1.3; spec/lifecycle.md 1.11.
#pragma once

#include <string_view>

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

void set_pod_defaults(const HookContext& context, json::Value& pod);

// The part that pods and templates share. `template_object` has a `spec`.
void set_pod_template_defaults(json::Value& template_object, json::Arena& arena);

// "Always" for an image without tag and digest or with the tag "latest"; else "IfNotPresent".
std::string_view image_pull_policy(std::string_view image);

// The tolerations of nodes that are not ready or unreachable, and the priority of the pod's class.
// Errors: 403 for a class that is not there, or a priority that is not the class's.
Result<void> admit_pod(const HookContext& context, json::Value& pod, const json::Value* old);

}  // namespace tabernetes::registry::kinds
