// The initial roles of a cluster with RBAC, as text.
//
// In the order in which kube-apiserver creates them. An unindented line is a role with its
// attributes, the indented lines below are its rules.
//   NAMESPACE/NAME  a Role; without a namespace a ClusterRole
//   +admin          its rules are aggregated into the roles that aggregate "admin"
//   <admin          it aggregates them
//   user=, group=, account= (of kube-system)
//                   subjects of a binding of the same name; `nobody`: a binding without subjects
//   as=NAME         the binding has that name
// A rule is `VERBS PATHS` or `VERBS GROUPS RESOURCES NAMES`, each a list; the names are optional.
#pragma once

#include <string_view>

namespace tabernetes::auth {

std::string_view bootstrap_roles_text();

}  // namespace tabernetes::auth
