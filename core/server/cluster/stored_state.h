// Between a cluster and its backend: the state that it begins with, and the batches that it
// proposes. See tabernetes/backend.h.
#pragma once

#include <algorithm>
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

// Changes that one request has made, by their tentative revisions.
struct WrittenTogether {
  store::Revision first = 0, last = 0;
};

// Returns what has changed since the history ended at `begin`: the whole state if it was restored
// meanwhile. `together`, by rising revision, is for shared storage.
store::Batch make_batch(const Cluster& cluster, std::size_t begin,
                        const std::vector<WrittenTogether>& together = {});

// What became of the tentative changes of a batch.
class Renumbered {
 public:
  struct Change {
    store::Revision revision = 0;  // 0: it was not stored
    store::RecordPtr record;       // null for a deletion
  };

  // Returns the change with a tentative revision, or null for another revision.
  const Change* find(store::Revision tentative) const {
    const bool known = tentative >= first && tentative - first < changes.size();
    return known ? &changes[tentative - first] : nullptr;
  }
  // Returns whether all changes after `before` up to `last` were stored.
  bool stored(store::Revision before, store::Revision last) const;

  store::Revision first = 0;  // the tentative revision of the first change
  std::vector<Change> changes;
};

// Replaces the tentative changes, all of which were proposed, by those that were stored and those
// of others, in the order of the storage, and settles them. REQUIRES: the storage is shared.
Renumbered renumber(Cluster& cluster, store::Outcome outcome);

// Takes in what others have stored, and settles it. REQUIRES: nothing is unsettled.
void take_in(Cluster& cluster, store::News news);

}  // namespace tabernetes::server
