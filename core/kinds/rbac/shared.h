// What kinds of this group share: defaults and cells of role bindings.
#pragma once

#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

TAB_DEFAULTS(kRoleBindingDefaults, R"(
roleRef made
 apiGroup default=rbac.authorization.k8s.io
subjects[]
 ?kind=User|Group
  apiGroup default=rbac.authorization.k8s.io
)");

void print_role_binding(const json::Value& object, Row& row);

}  // namespace tabernetes::registry::kinds
