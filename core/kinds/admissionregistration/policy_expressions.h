// CEL expressions of admission policies and of webhooks' match conditions, compiled when objects
// are validated. Source: upstream 1.36 apiserver pkg/admission/plugin/cel/{compile,composition}.go;
// pkg/apis/admissionregistration/validation.
#pragma once

#include <cstdint>

#include "kinds/row/rules.h"

namespace tabernetes::registry::kinds {

enum class ExpressionUse : std::uint8_t {
  kCondition,   // returns a bool; may use the policy's parameters
  kValidation,  // the same, and may use the policy's variables
  kVariable,
  kMessage,
  kAnnotation,
  kApplyConfiguration,  // of a mutating policy: returns an Object
  kJsonPatch,           // the same: returns a list of JSONPatch
};

inline bool is_mutation(ExpressionUse use) {
  return use == ExpressionUse::kApplyConfiguration || use == ExpressionUse::kJsonPatch;
}

// Reports errors of the expression at `at`. `root` is the whole object.
void compile_expression(const Field& at, const json::Value& root, ExpressionUse use);

}  // namespace tabernetes::registry::kinds
