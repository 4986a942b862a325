// Which writes a policy or a binding is for: its matchConstraints or matchResources.
// Source: upstream 1.36 apiserver pkg/admission/plugin/policy/matching/matching.go,
// pkg/admission/plugin/webhook/predicates.
#pragma once

#include "admission/policy_request.h"

namespace tabernetes::admission {

// Whether a label selector of an object selects these labels; absent ones are none.
bool selects(const json::Value* selector, const json::Value* labels);

// The resource as which `resources` (a MatchResources) takes the request: that of the request, or
// an equivalent one that its rules name. Null: it does not.
const registry::ResourceType* match(const json::Value& resources, const PolicyRequest& request);

}  // namespace tabernetes::admission
