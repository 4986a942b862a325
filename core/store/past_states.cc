#include "store/past_states.h"

#include <algorithm>

namespace tabernetes::store {
namespace {

void set(Tree& tree, std::string_view key, const RecordPtr& record) {
  if (record) {
    tree.put(record);
  } else {
    tree.erase(key);
  }
}

// Brings `state` to `revision` by undoing or repeating the events between.
void travel(Snapshot& state, Revision revision, const History& history) {
  std::size_t position = history.first_after(state.revision);
  const std::size_t target = history.first_after(revision);
  while (position > target) {
    const Event& event = *history.at(--position);
    set(state.tree, event.key, event.previous);
  }
  for (; position < target; ++position) {
    const Event& event = *history.at(position);
    set(state.tree, event.key, event.current);
  }
  state.revision = revision;
}

Revision distance(Revision a, Revision b) { return a > b ? a - b : b - a; }

}  // namespace

void PastStates::note(const Snapshot& newest) {
  const Revision last = regular_.empty() ? 0 : regular_.back().revision;
  if (newest.revision - last >= kInterval) regular_.push_back(newest);
}

Snapshot PastStates::at(Revision revision, const Snapshot& newest, const History& history) {
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
  Snapshot state = *nearest;
  travel(state, revision, history);
  if (asked_.size() == kMaxAsked) asked_.pop_front();
  asked_.push_back(state);
  return state;
}

void PastStates::compact(Revision revision) {
  while (!regular_.empty() && regular_.front().revision < revision) regular_.pop_front();
  asked_.erase(std::remove_if(asked_.begin(), asked_.end(),
                              [&](const Snapshot& s) { return s.revision < revision; }),
               asked_.end());
}

void PastStates::clear() {
  regular_.clear();
  asked_.clear();
}

}  // namespace tabernetes::store
