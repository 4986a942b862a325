// Evaluates a validating admission policy for one request. Source: upstream 1.36 apiserver
// pkg/admission/plugin/policy/validating/validator.go.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "admission/expression_evaluation.h"

namespace tabernetes::admission {

struct Denial {
  std::string message;
  std::string_view reason;  // empty: Invalid
  bool always = false;      // regardless of the binding's actions
};

// Returns all violations of the policy in order; empty if it does not apply.
std::vector<Denial> evaluate(const CompiledPolicy& policy, const PolicyInputs& inputs);

}  // namespace tabernetes::admission
