// A cache of past snapshots. The history leads from any state to any other within its reach; this
// keeps a few to start from: one every so many writes, and the last ones requested, since all pages
// of one list request the same revision.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "store/history.h"
#include "store/snapshot.h"

namespace tabernetes::store {

class SnapshotHistory {
 public:
  // Returns true if the newest state should be added with note(): the last one added is long past.
  bool wants(Revision newest) const;
  void note(Snapshot newest);

  // Returns the state at `revision`. REQUIRES: history.compacted_revision() <= revision <=
  // newest.revision.
  Snapshot at(Revision revision, const Snapshot& newest, const History& history);

  // Returns the cached states.
  std::vector<Snapshot> at_hand() const;

  // Drops the states before `revision`.
  void compact(Revision revision);
  // Drops the states after `revision`.
  void undo(Revision revision);
  void clear();

 private:
  static constexpr Revision kInterval = 16'384;
  static constexpr std::size_t kMaxAsked = 4;

  std::deque<Snapshot> regular_;  // oldest first
  std::deque<Snapshot> asked_;    // least recently used first
};

}  // namespace tabernetes::store
