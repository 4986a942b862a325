// Evaluates a validating admission policy for one request. Source: upstream 1.36 apiserver
// pkg/admission/plugin/policy/validating/validator.go,
// pkg/admission/plugin/cel/{condition,activation,composition}.go.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "admission/policy_program.h"

namespace tabernetes::admission {

// The values of the variables, null if absent. They must live as long as the evaluation.
struct PolicyInputs {
  json::Value object, old, namespace_object, request, params;
  json::Arena& arena;
};

struct Denial {
  std::string message;
  std::string_view reason;  // empty: Invalid
  bool always = false;      // regardless of the binding's actions
};

// Returns all violations of the policy in order; empty if it does not apply.
std::vector<Denial> evaluate(const CompiledPolicy& policy, const PolicyInputs& inputs);

}  // namespace tabernetes::admission
