// Finds the `params` objects that a binding selects for its policy. Source: upstream 1.36 apiserver
// pkg/admission/plugin/policy/generic/policy_dispatcher.go (CollectParams).
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "admission/policy_program.h"
#include "admission/policy_request.h"

namespace tabernetes::admission {

// Returns the resource of a policy's paramKind, or null if it has none. Errors: no such resource.
tl::expected<const registry::ResourceType*, std::string> param_type(
    const CompiledPolicy& policy, const registry::Registry& registry);

// Returns the params for which the policy is evaluated, or one null value to evaluate it without.
// `type`: see param_type(). Errors: why the binding cannot be used.
tl::expected<std::vector<json::Value>, std::string> collect_params(
    const registry::ResourceType* type, const json::Value& binding, const PolicyRequest& request);

}  // namespace tabernetes::admission
