// Whole-cluster operations: save, reset, restore, compact.
#pragma once

#include <string>
#include <string_view>

#include "server/cluster/cluster.h"
#include "tabernetes/buffer.h"
#include "tabernetes/expected.h"

namespace tabernetes::server {

// Saves the present state for reset().
void mark_initial_state(Cluster& cluster);
// Restores the objects of the initial state at a new version. The clock is not changed.
void reset(Cluster& cluster);

// Returns the document described in server/cluster/snapshot_document.h.
Rope save(const Cluster& cluster);
// Replaces the state by the document's. Keeps the document's version if no client can be misled:
// nothing was requested from this cluster yet, or nothing was written since its initial state,
// which is no newer. Otherwise takes a version newer than both. Advances the clock to the
// document's. Changes nothing if it fails.
Expected<void> restore(Cluster& cluster, std::string_view document);

// Makes versions before `resource_version` (empty: the present one) unavailable for reads and
// watches. Fails if that version is not reached yet or compacted already.
Expected<void> compact(Cluster& cluster, std::string_view resource_version);

}  // namespace tabernetes::server
