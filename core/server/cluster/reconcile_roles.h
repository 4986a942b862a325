// Default roles and bindings of a cluster that an earlier server began: what this server's have
// more is added, as kube-apiserver does it at each start. Source: upstream 1.36:
// component-helpers/auth/rbac/reconciliation.
#pragma once

#include <string_view>

#include "server/cluster/cluster.h"

namespace tabernetes::server {

// Adds the rules, subjects, selectors, labels and annotations that objects of the cluster lack, to
// those that do not forbid it (`rbac.authorization.kubernetes.io/autoupdate: "false"`). A binding
// to another role is deleted, to be made anew. `manifest` is JSON, one document after the other.
void reconcile_roles(Cluster& cluster, std::string_view manifest);

}  // namespace tabernetes::server
