// ClusterRoleBinding of rbac.authorization.k8s.io. Source: upstream 1.36 pkg/apis/rbac/validation.
#include "kinds/rbac/shared.h"
#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kClusterRoleBindingRules, R"(
roleRef
 apiGroup enum:rbac.authorization.k8s.io
 kind enum:ClusterRole
 name required is:segment
subjects[]
 &subject
 ?kind=ServiceAccount
  namespace required
on update
 roleRef immutable=#rbac.v1.RoleRef "cannot change roleRef"
)");

extern const Kind kClusterRoleBindingKind{.group = "rbac.authorization.k8s.io",
                                          .kind = "ClusterRoleBinding",
                                          .strategy = {.names = kAnyName,
                                                       .meta_passes = {"CF", "CFUF", ""},
                                                       .allow_create_on_update = true},
                                          .rules = &kClusterRoleBindingRules,
                                          .defaults = &kRoleBindingDefaults,
                                          .print = &print_role_binding};

}  // namespace tabernetes::registry::kinds
