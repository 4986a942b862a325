// The expressions of admission policies and of webhooks' match conditions, compiled when they are
// stored. Source: upstream 1.36 apiserver pkg/admission/plugin/cel/{compile,composition}.go;
// pkg/apis/admissionregistration/validation.
#pragma once

#include <cstdint>

#include "rules/field.h"

namespace tabernetes::registry::validation {

enum class ExpressionUse : std::uint8_t {
  kCondition,   // gives a bool; may use the parameters that the policy declares
  kValidation,  // the same, and the policy's variables
  kVariable,
  kMessage,
  kAnnotation,
};

// Reports what is wrong with the expression at `at`. `root`: the whole object.
void compile_expression(const Field& at, const json::Value& root, ExpressionUse use);

}  // namespace tabernetes::registry::validation
