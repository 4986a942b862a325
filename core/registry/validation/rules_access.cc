// Roles, service accounts' signing requests, leases, API services, flow control.
// Source: upstream 1.36 pkg/apis/rbac/validation, coordination/validation,
// certificates/validation, flowcontrol/validation; kube-aggregator apis/apiregistration/validation.

#include "registry/validation/kind_rules.h"

namespace tabernetes::registry::validation {
namespace {

constexpr std::string_view kRole = R"(
rules[]
 verbs required "verbs must contain at least one value"
 ?nonResourceURLs
  nonResourceURLs bad "namespaced rules cannot apply to non-resource URLs"
 &policy-rule
)";

constexpr std::string_view kClusterRole = R"(
rules[]
 verbs required "verbs must contain at least one value"
 &policy-rule
aggregationRule given
 clusterRoleSelectors required "at least one clusterRoleSelector required if aggregationRule is non-nil"
 clusterRoleSelectors[] @sound-selector
)";

constexpr std::string_view kRoleBinding = R"(
roleRef
 apiGroup enum:rbac.authorization.k8s.io
 kind enum:Role,ClusterRole
 name required is:segment
subjects[] &subject
on update
 roleRef immutable=#rbac.v1.RoleRef "cannot change roleRef"
)";

constexpr std::string_view kClusterRoleBinding = R"(
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
)";

constexpr std::string_view kLease = R"(
spec
 leaseDurationSeconds given ge:1 "must be greater than 0"
 leaseTransitions given min:0
)";

}  // namespace

const KindRules kAccessRules[] = {
    {"rbac.authorization.k8s.io", "Role", kRole},
    {"rbac.authorization.k8s.io", "ClusterRole", kClusterRole},
    {"rbac.authorization.k8s.io", "RoleBinding", kRoleBinding},
    {"rbac.authorization.k8s.io", "ClusterRoleBinding", kClusterRoleBinding},
    {"coordination.k8s.io", "Lease", kLease},
    {},
};

}  // namespace tabernetes::registry::validation
