// Evaluates a validating admission policy for one request. Source: upstream 1.36 apiserver
// pkg/admission/plugin/policy/validating/validator.go.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "admission/expression_evaluation.h"

namespace tabernetes::admission {

struct Denial {
  std::string message;
  std::string_view reason;     // empty: Invalid
  bool always = false;         // regardless of the binding's actions
  std::size_t expression = 0;  // the index of the validation
};

// Annotations of audit events, in order.
using AuditTexts = std::vector<std::pair<std::string, std::string>>;

// Returns all violations of the policy in order; empty if it does not apply.
// Adds the policy's audit annotations to `texts`.
std::vector<Denial> evaluate(const CompiledPolicy& policy, const PolicyInputs& inputs,
                             AuditTexts& texts);

}  // namespace tabernetes::admission
