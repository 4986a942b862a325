// ClusterRole of rbac.authorization.k8s.io. Source: upstream 1.36 pkg/apis/rbac/validation.
#include "kinds/kinds.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kClusterRoleRules, R"(
rules[]
 verbs required "verbs must contain at least one value"
 &policy-rule
aggregationRule given
 clusterRoleSelectors required "at least one clusterRoleSelector required if aggregationRule is non-nil"
 clusterRoleSelectors[] @sound-selector
)");

const Kind kClusterRoleKind{.group = "rbac.authorization.k8s.io",
                            .kind = "ClusterRole",
                            .strategy = {.names = kAnyName,
                                         .meta_passes = {"CF", "CFUF", ""},
                                         .allow_create_on_update = true},
                            .rules = &kClusterRoleRules};

}  // namespace tabernetes::registry::kinds
