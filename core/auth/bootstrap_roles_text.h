// The roles that a cluster with access control begins with, as text.
//
// In the order in which kube-apiserver makes them. A line at the margin is a role and what is said
// of it, those below it are its rules.
//   NAMESPACE/NAME  a Role; without a namespace a ClusterRole
//   +admin          its rules go into those roles that gather the rules for "admin"
//   <admin          it gathers them
//   user=, group=, account= (of kube-system)
//                   a binding of the same name gives it to these; `nobody`: to nobody
//   as=NAME         the binding has that name
// A rule is `VERBS PATHS` or `VERBS GROUPS RESOURCES NAMES`, each a list, the names optional.
#pragma once

#include <string_view>

namespace tabernetes::auth {

std::string_view bootstrap_roles_text();

}  // namespace tabernetes::auth
