// Defaults that kinds of this group share.
#pragma once

#include "rules/rules.h"

namespace tabernetes::registry::kinds {

TAB_DEFAULTS(kRoleBindingDefaults, R"(
roleRef made
 apiGroup default=rbac.authorization.k8s.io
subjects[]
 ?kind=User|Group
  apiGroup default=rbac.authorization.k8s.io
)");

}  // namespace tabernetes::registry::kinds
