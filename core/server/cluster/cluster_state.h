// What is done to a cluster as a whole: kept, taken back, put into another state, rid of its past.
#pragma once

#include <string>
#include <string_view>

#include "server/cluster/cluster.h"
#include "tabernetes/buffer.h"
#include "tabernetes/expected.h"

namespace tabernetes::server {

// Keeps the present state as the one that reset() goes back to.
void mark_initial_state(Cluster& cluster);
// The contents of the initial state at a new version. The clock stays.
void reset(Cluster& cluster);

// The document of server/cluster/snapshot_document.h.
Rope save(const Cluster& cluster);
// Puts the document's state in the place of this one, at the document's version if that can mislead
// nobody: nothing was asked of this cluster yet, or nothing written since its initial state, which
// is no newer. Otherwise at a version newer than both. The clock moves on to the document's. Where
// it fails nothing has changed.
Expected<void> restore(Cluster& cluster, std::string_view document);

// Versions before `resource_version` (empty: the present one) can no longer be read or watched
// from. Fails where that cannot be: not reached yet, or compacted already.
Expected<void> compact(Cluster& cluster, std::string_view resource_version);

}  // namespace tabernetes::server
