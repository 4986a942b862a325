// Loads manifests at start-up: files of a user, dumps of a cluster, and the initial objects.
#pragma once

#include <string_view>
#include <vector>

#include "server/cluster/cluster.h"
#include "tabernetes/api_server.h"

namespace tabernetes::server {

enum class ExistingObjects { kReplace, kKeep };

// Stores every object of a YAML or JSON text (many documents, `kind: List`): namespaces and CRDs
// first, the others in order. Keeps existing objects, or replaces them whole, even what an update
// may not change; only a status that the manifest does not give stays. Keeps the UIDs, times and
// status of a dump and its managed fields; `manager` owns the fields of objects without. Objects
// without a namespace go to `default`.
std::vector<LoadFault> load_manifest(Cluster& cluster, std::string_view manifest,
                                     std::string_view manager = "tabernetes",
                                     ExistingObjects existing = ExistingObjects::kReplace);

}  // namespace tabernetes::server
