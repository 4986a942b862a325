// The objects that a binding hands to its policy as `params`.
// Source: upstream 1.36 apiserver pkg/admission/plugin/policy/generic/policy_dispatcher.go
// (CollectParams).
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "admission/policy_program.h"
#include "admission/policy_request.h"

namespace tabernetes::admission {

// The resource of a policy's paramKind; null: it has none. Errors: there is no such resource.
tl::expected<const registry::ResourceType*, std::string> param_type(
    const PolicyProgram& policy, const registry::Registry& registry);

// For each of them the policy is evaluated; one null value where it is to be evaluated without.
// `type`: see param_type(). Errors: why the binding cannot be used.
tl::expected<std::vector<json::Value>, std::string> collect_params(
    const registry::ResourceType* type, const json::Value& binding, const PolicyRequest& request);

}  // namespace tabernetes::admission
