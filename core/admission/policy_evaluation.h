// What a policy says of one request.
// Source: upstream 1.36 apiserver pkg/admission/plugin/policy/validating/validator.go,
// pkg/admission/plugin/cel/{condition,activation,composition}.go.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "admission/policy_program.h"

namespace tabernetes::admission {

// The values of the variables; each lives as long as the evaluation. Null where there is none.
struct PolicyInputs {
  json::Value object, old, namespace_object, request, params;
  json::Arena& arena;
};

struct Denial {
  std::string message;
  std::string_view reason;  // empty: Invalid
  bool always = false;      // whatever the binding's actions are
};

// Everything that the policy has against it, in order; nothing if it does not apply.
std::vector<Denial> evaluate(const PolicyProgram& policy, const PolicyInputs& inputs);

}  // namespace tabernetes::admission
