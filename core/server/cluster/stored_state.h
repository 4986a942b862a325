// Between a cluster and its backend: the state that it begins with, and the batches that it
// proposes. See tabernetes/backend.h.
#pragma once

#include <cstddef>
#include <vector>

#include "server/cluster/cluster.h"
#include "tabernetes/backend.h"

namespace tabernetes::server {

// Continues from what a backend has stored: objects, history, versions, time, random numbers. An
// object whose value cannot be read is there as a corrupt one. REQUIRES: the cluster is fresh.
void reopen(Cluster& cluster, store::Stored stored);

// Makes changes that others have stored. REQUIRES: nothing is unsettled.
void adopt(Cluster& cluster, std::vector<store::StoredChange> changes);

// Returns what has changed since the history ended at `begin`: the whole state if it was restored
// meanwhile.
store::Batch make_batch(const Cluster& cluster, std::size_t begin);

}  // namespace tabernetes::server
