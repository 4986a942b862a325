#include "store/snapshot_history.h"

#include <algorithm>
#include <utility>

namespace tabernetes::store {
namespace {

void set(TreeWriter& tree, std::string_view key, const RecordPtr& record) {
  if (record) {
    tree.put(record);
  } else {
    tree.erase(key);
  }
}

// Returns the state at `revision` by undoing or replaying the events between.
Snapshot travel(const Snapshot& from, Revision revision, const History& history) {
  TreeWriter tree(from.tree);
  std::size_t position = history.first_after(from.revision);
  const std::size_t target = history.first_after(revision);
  while (position > target) {
    const Event& event = *history.at(--position);
    set(tree, event.key, event.previous);
  }
  for (; position < target; ++position) {
    const Event& event = *history.at(position);
    set(tree, event.key, event.current);
  }
  return {tree.tree(), revision};
}

Revision distance(Revision a, Revision b) { return a > b ? a - b : b - a; }

}  // namespace

bool SnapshotHistory::wants(Revision newest) const {
  const Revision last = regular_.empty() ? 0 : regular_.back().revision;
  return newest - last >= kInterval;
}

void SnapshotHistory::note(Snapshot newest) { regular_.push_back(std::move(newest)); }

Snapshot SnapshotHistory::at(Revision revision, const Snapshot& newest, const History& history) {
  if (revision == newest.revision) return newest;
  const auto asked = std::find_if(asked_.begin(), asked_.end(),
                                  [&](const Snapshot& s) { return s.revision == revision; });
  if (asked != asked_.end()) {
    std::rotate(asked, asked + 1, asked_.end());
    return asked_.back();
  }
  const Snapshot* nearest = &newest;
  const auto consider = [&](const Snapshot& state) {
    if (distance(state.revision, revision) < distance(nearest->revision, revision)) {
      nearest = &state;
    }
  };
  for (const Snapshot& state : regular_) consider(state);
  for (const Snapshot& state : asked_) consider(state);
  Snapshot state = travel(*nearest, revision, history);
  if (asked_.size() == kMaxAsked) asked_.pop_front();
  asked_.push_back(state);
  return state;
}

std::vector<Snapshot> SnapshotHistory::at_hand() const {
  std::vector<Snapshot> states(regular_.begin(), regular_.end());
  states.insert(states.end(), asked_.begin(), asked_.end());
  return states;
}

void SnapshotHistory::compact(Revision revision) {
  while (!regular_.empty() && regular_.front().revision < revision) regular_.pop_front();
  std::erase_if(asked_, [&](const Snapshot& s) { return s.revision < revision; });
}

void SnapshotHistory::undo(Revision revision) {
  while (!regular_.empty() && regular_.back().revision > revision) regular_.pop_back();
  std::erase_if(asked_, [&](const Snapshot& s) { return s.revision > revision; });
}

void SnapshotHistory::clear() {
  regular_.clear();
  asked_.clear();
}

}  // namespace tabernetes::store
