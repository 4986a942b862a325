// The `spec` of a SubjectAccessReview that asks about an action. Source: upstream 1.36
// apiserver/plugin/pkg/authorizer/webhook/webhook.go, pkg/authorization/cel/compile.go.
#pragma once

#include "auth/authorizer.h"
#include "json/value.h"

namespace tabernetes::auth {

enum class SpecForm {
  kV1,
  kV1beta1,     // groups are named `group`
  kExpression,  // as `request` of expressions: with empty texts too
};

// The result is valid as long as the arena and the attributes.
json::Value access_spec(const Attributes& wanted, SpecForm form, json::Arena& arena);

}  // namespace tabernetes::auth
