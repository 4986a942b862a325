// Checks of x-kubernetes-validations in a definition's schemas.
#pragma once

#include <vector>

#include "custom/definition/schema_checks.h"

namespace tabernetes::registry::custom {

// Reports rules that do not compile, are too expensive, or use oldSelf where no old value can be
// found. `schema` is the place of the whole openAPIV3Schema.
void check_cel_rules(const std::vector<CelRuleNode>& sites, const validation::Field& schema);

}  // namespace tabernetes::registry::custom
