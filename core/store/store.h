// A revisioned, ordered key-value store in memory: the whole state of a cluster.
//
// Every change is one step that assigns the next revision, updates the tree, appends to the history
// and notifies the watchers, in that order. A Snapshot is a root of the copy-on-write tree and a
// revision: constant time to take, immutable, safe to read and drop on any thread. All calls of the
// Store itself, const ones too, come from one strand. It knows keys, revisions and opaque bytes,
// and nothing of Kubernetes. Changes may be held back until something else has stored them: see
// hold_changes(). Tested by tests/core/store and, against a naive map, by
// tests/property.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "store/history.h"
#include "store/record.h"
#include "store/snapshot.h"
#include "store/snapshot_history.h"
#include "store/tree.h"
#include "store/watch_hub.h"

namespace tabernetes::store {

enum class Error {
  kNotFound,
  kExists,
  kConflict,   // the key is at another revision than expected
  kCompacted,  // older than the history
  kFuture,     // not reached yet
};

// One create or replace.
struct Write {
  std::string key;
  // 0: the key must not exist; otherwise the required revision of the key's record.
  Revision expected = 0;
  // Makes the record once the revision is known (the bytes contain it). Called at most once, after
  // all checks. Must not use the store. May return a std::unique_ptr.
  std::function<std::shared_ptr<Record>(Revision)> make;
};

class Store {
 public:
  Store() : Store(History::Limits{}) {}
  explicit Store(const History::Limits& limits) : history_(limits) {}
  Store& operator=(const Store&) = delete;

  // Returns an independent store with the same state and past, without watchers.
  Store fork() const { return Store(*this); }

  // Sets the time of subsequent writes and drops history that is too old.
  void advance(Time now);

  Revision revision() const { return revision_; }
  Revision compacted_revision() const { return history_.compacted_revision(); }

  // Returns the newest record at `key`, or null.
  RecordPtr get(std::string_view key) const { return tree_.find(key); }

  // Returns the newest state, to be read before the next change and not copied; unlike snapshot(),
  // it makes that change no more expensive.
  const Tree& tree() const { return tree_.present(); }
  Snapshot snapshot() const { return {tree_.tree(), revision_}; }
  // Returns the state as of `revision`. Errors: kCompacted, kFuture.
  tl::expected<Snapshot, Error> snapshot_at(Revision revision) const;

  // Returns the past states that are cached: those last requested from snapshot_at(), and some
  // others.
  std::vector<Snapshot> cached_snapshots() const { return past_.at_hand(); }

  // Creates or replaces; returns the stored record. Errors: kExists (expected 0); kConflict,
  // kNotFound (otherwise).
  tl::expected<RecordPtr, Error> put(const Write& write);
  // Deletes the record, which must be at revision `expected` (0: at any); returns the revision of
  // the deletion. Errors: kNotFound, kConflict.
  tl::expected<Revision, Error> remove(std::string_view key, Revision expected);

  // Drops history up to and including `revision`: that state can still be read, and changes after
  // it watched. Errors: kFuture; kCompacted (before an earlier compaction).
  tl::expected<void, Error> compact(Revision revision);

  // Replaces the whole state, drops the history and interrupts the watchers. state.revision must be
  // newer than revision() for revisions to stay unique, unless no client has seen this store.
  void restore(Snapshot state);

  const History& history() const { return history_; }
  WatchHub& hub() { return hub_; }

  // Holds back changes from now on: they are made as ever, but watchers hear of them, and the
  // settled state contains them, only after settle(). undo() takes back those that are not settled.
  void hold_changes();

  // The settled state is the newest one that is for good: the newest of all if nothing is held
  // back. Its history ends at settled_end().
  Revision settled_revision() const { return settled_ ? settled_->state.revision : revision_; }
  Snapshot settled_snapshot() const { return settled_ ? settled_->state : snapshot(); }
  const Tree& settled_tree() const { return settled_ ? settled_->state.tree : tree(); }
  std::size_t settled_end() const { return settled_ ? settled_->end : history_.end(); }

  // Settles the changes that led to `state`, which was the newest when the history ended at `end`.
  // REQUIRES: hold_changes() was called; no undo() since then.
  void settle(Snapshot state, std::size_t end);
  // Goes back to the settled state. The revisions of what is undone are not used again. The history
  // is as it was, unless restore() was called since; then it begins anew.
  void undo();

  // Makes a change that was made before, by another store or process: with its own revision and
  // time. `record` has its key and is null for a deletion. REQUIRES: revision >= this->revision();
  // several changes may have one revision.
  void replay(std::string_view key, std::shared_ptr<Record> record, Revision revision, Time time);
  // Continues after `revision`. REQUIRES: no change is above it.
  void skip_to(Revision revision) { revision_ = revision; }

 private:
  Store(const Store& other)
      : tree_(other.tree_.tree()),
        revision_(other.revision_),
        now_(other.now_),
        history_(other.history_),
        past_(other.past_) {
    history_.pin(History::kNothing);
  }

  struct Settled {
    Snapshot state;
    std::size_t end = 0;
  };

  void commit(Revision revision, Time time, RecordPtr current, RecordPtr previous);

  TreeWriter tree_;
  Revision revision_ = 1;
  Time now_;
  History history_;
  mutable SnapshotHistory past_;  // only a cache
  WatchHub hub_;
  std::optional<Settled> settled_;  // while changes are held back
};

}  // namespace tabernetes::store
