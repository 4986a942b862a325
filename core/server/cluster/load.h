// Manifests at start-up: files of a user, dumps of a cluster, and our own first objects.
#pragma once

#include <string_view>
#include <vector>

#include "server/cluster/cluster.h"
#include "tabernetes/api_server.h"

namespace tabernetes::server {

// Stores every object of a YAML or JSON text (many documents, `kind: List`); namespaces and CRDs
// first, the rest in order. What stands already is replaced. Uids, times and status of a dump are
// kept, and who owned what; `manager` owns the fields of objects that do not say. Objects without a
// namespace go to `default`.
std::vector<LoadFault> load_manifest(Cluster& cluster, std::string_view manifest,
                                     std::string_view manager = "tabernetes");

}  // namespace tabernetes::server
