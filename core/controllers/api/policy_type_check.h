// Checks the expressions of an admission policy against the types of the kinds that it is about.
// Source: upstream 1.36 apiserver pkg/admission/plugin/policy/validating/typechecking.go.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "registry/kind/resource_type.h"

namespace tabernetes::controllers {

struct ExpressionWarning {
  std::string field;    // "spec.validations[0].expression"
  std::string warning;  // what is wrong for each kind
};

// Returns the warnings about a ValidatingAdmissionPolicy. Kinds that are defined by custom
// resources are not checked.
std::vector<ExpressionWarning> check_policy_types(const registry::ResourceTable& resources,
                                                  const json::Value& policy);

}  // namespace tabernetes::controllers
