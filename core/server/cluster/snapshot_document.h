// The document format of cluster snapshots: JSON, one object per line, sorted by kind and key.
//
//   {"kind":"ClusterSnapshot","apiVersion":"tabernetes.dev/v1",
//   "resourceVersion":"123",
//   "clock":"2026-01-01T00:00:00.000000Z",
//   "random":"11400714819323198485",
//   "behaviour":[...],
//   "objects":[
//   {"kind":"Namespace","apiVersion":"v1","metadata":{...,"resourceVersion":"2",...},...},
//   ...
//   ]}
//
// `resourceVersion` is the cluster's, not less than any object's. `random` is the state of the
// random number generator (for UIDs and generated names); absent if the host supplies randomness.
// `behaviour` are the rules of simulated pods and nodes; absent if there are none.
// The past is not saved: a restored cluster has no older versions to read or watch from. apiVersion
// changes when an older reader would misread the document. Tested by
// tests/core/server/cluster/snapshot_document_test.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "controllers/kubelet/behaviour_rules.h"
#include "registry/kind/resource_type.h"
#include "store/snapshot.h"
#include "tabernetes/buffer.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

struct SavedCluster {
  store::Snapshot objects;
  Time now;
  std::optional<std::uint64_t> random;
  std::shared_ptr<const controllers::kubelet::BehaviourRules> behaviour;  // null: none are given
};

// Shares the bytes of the objects.
Rope write_snapshot(const registry::ResourceTable& resources, const SavedCluster& cluster);

// Errors: what is wrong with the document, and where.
tl::expected<SavedCluster, std::string> read_snapshot(
    std::shared_ptr<const registry::ResourceTable> built_in, std::string_view document);

}  // namespace tabernetes::server
