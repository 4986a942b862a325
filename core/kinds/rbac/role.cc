// Role of rbac.authorization.k8s.io. Source: upstream 1.36 pkg/apis/rbac/validation.
#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kRoleRules, R"(
rules[]
 verbs required "verbs must contain at least one value"
 ?nonResourceURLs
  nonResourceURLs bad "namespaced rules cannot apply to non-resource URLs"
 &policy-rule
)");

extern const Kind kRoleKind{.group = "rbac.authorization.k8s.io",
                            .kind = "Role",
                            .strategy = {.names = kAnyName,
                                         .meta_passes = {"CF", "CFUF", ""},
                                         .allow_create_on_update = true},
                            .rules = &kRoleRules};

}  // namespace tabernetes::registry::kinds
