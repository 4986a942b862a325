// Defaults that kinds of this group share.
#pragma once

#include <string_view>

namespace tabernetes::registry::kinds {

inline constexpr std::string_view kRoleBindingDefaults = R"(
roleRef made
 apiGroup default=rbac.authorization.k8s.io
subjects[]
 ?kind=User|Group
  apiGroup default=rbac.authorization.k8s.io
)";

}  // namespace tabernetes::registry::kinds
