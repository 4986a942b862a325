// States of the past. The history tells how to go from any state to any other within its reach;
// this keeps a few states to start from: one every so many writes, and those last asked for, since
// the pages of one list all ask for the same.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "store/history.h"
#include "store/snapshot.h"

namespace tabernetes::store {

class PastStates {
 public:
  // True if the state at the newest revision should be kept: the last kept one is long past.
  bool wants(Revision newest) const;
  void note(Snapshot newest);

  // The state at `revision`. REQUIRES: history.compacted_revision() <= revision <= newest.revision.
  Snapshot at(Revision revision, const Snapshot& newest, const History& history);

  // The states that are kept.
  std::vector<Snapshot> at_hand() const;

  // Drops the states before `revision`.
  void compact(Revision revision);
  void clear();

 private:
  static constexpr Revision kInterval = 16'384;
  static constexpr std::size_t kMaxAsked = 4;

  std::deque<Snapshot> regular_;  // oldest first
  std::deque<Snapshot> asked_;    // least recently used first
};

}  // namespace tabernetes::store
