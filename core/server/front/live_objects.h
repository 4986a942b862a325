// The objects of a store, to be read between two changes.
#pragma once

#include <cstdint>
#include <utility>

#include "server/request/objects.h"
#include "store/store.h"

namespace tabernetes::server {

// Returns the newest revision that is no tentative one.
inline store::Revision known_revision(const store::Store& store) {
  const store::Revision newest = store.revision();
  return newest < store::kFirstTentative ? newest : store.settled_revision();
}

// The store itself, to be read between two changes.
class LiveObjects final : public Objects {
 public:
  enum class State { kSettled, kNewest };

  // Increments `past_states_made` for past states that the store made and now caches.
  LiveObjects(const store::Store& store, State state, std::uint64_t& past_states_made)
      : store_(store),
        tree_(state == State::kSettled ? store.settled_tree() : store.tree()),
        revision_(state == State::kSettled ? store.settled_revision() : known_revision(store)),
        past_states_made_(past_states_made) {}

  const store::Tree& tree() const override { return tree_; }
  store::Revision revision() const override { return revision_; }
  tl::expected<store::Snapshot, Missing> at(store::Revision revision) const override {
    auto state = store_.snapshot_at(revision);
    if (!state) return tl::make_unexpected(Missing::kCompacted);
    if (revision != revision_) ++past_states_made_;
    return std::move(*state);
  }

 private:
  const store::Store& store_;
  const store::Tree& tree_;
  const store::Revision revision_;
  std::uint64_t& past_states_made_;
};

}  // namespace tabernetes::server
