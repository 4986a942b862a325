// The rules (x-kubernetes-validations) of a definition's schemas.
#pragma once

#include <vector>

#include "custom/definition/schema_rules.h"

namespace tabernetes::registry::custom {

// What is wrong with the rules of a new definition: they do not compile, cost too much, or use old
// values that there cannot be. `schema`: the place of the whole openAPIV3Schema.
void check_rules(const std::vector<RuleSite>& sites, const validation::Field& schema);

}  // namespace tabernetes::registry::custom
