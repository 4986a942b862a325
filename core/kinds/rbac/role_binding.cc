// RoleBinding of rbac.authorization.k8s.io. Source: upstream 1.36 pkg/apis/rbac/validation.
#include "kinds/rbac/shared.h"
#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kRoleBindingRules, R"(
roleRef
 apiGroup enum:rbac.authorization.k8s.io
 kind enum:Role,ClusterRole
 name required is:segment
subjects[] &subject
on update
 roleRef immutable=#rbac.v1.RoleRef "cannot change roleRef"
)");

extern const Kind kRoleBindingKind{.group = "rbac.authorization.k8s.io",
                                   .kind = "RoleBinding",
                                   .strategy = {.names = kAnyName,
                                                .meta_passes = {"CF", "CFUF", ""},
                                                .allow_create_on_update = true},
                                   .rules = &kRoleBindingRules,
                                   .defaults = &kRoleBindingDefaults,
                                   .print = &print_role_binding};

}  // namespace tabernetes::registry::kinds
