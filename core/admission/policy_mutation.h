// Applies the mutations of a mutating admission policy to an object. Source: upstream 1.36
// apiserver pkg/admission/plugin/policy/mutating/patch/{smd,json_patch}.go.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "admission/expression_evaluation.h"
#include "admission/policy_request.h"

namespace tabernetes::admission {

// Returns the object after the mutation `mutation` of the policy, decoded as `type`, with defaults.
// Errors: what ends the request (500); or, as the inner error, why the mutation cannot be applied.
Result<tl::expected<json::Value, std::string>> apply_mutation(const CompiledPolicy& policy,
                                                              const PolicyExpression& mutation,
                                                              const PolicyInputs& inputs,
                                                              const PolicyRequest& request,
                                                              const registry::ResourceType& type);

}  // namespace tabernetes::admission
