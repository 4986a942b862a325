// A revisioned, ordered key-value store in memory: the whole state of a cluster.
//
// Every change goes through commit(), which assigns the next revision, updates the tree, appends
// to the history and tells the watchers, in that order. A Snapshot is a root of the copy-on-write
// tree and a revision: constant time to take, never changes, may be read from any thread.
// Knows keys, revisions and opaque bytes; nothing of Kubernetes. Tested by tests/core/store and,
// against a naive map, by tests/property.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "store/history.h"
#include "store/record.h"
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

// An immutable state: the tree at a revision.
struct Snapshot {
  Tree tree;
  Revision revision = 0;
};

// One write. `record` null deletes. `expected` 0: the key must not exist; otherwise the revision
// that the key's record must have.
struct Write {
  std::string key;
  Revision expected = 0;
  // Makes the record once the revision is known (the bytes contain it).
  std::function<std::unique_ptr<Record>(Revision)> make;
};

class Store {
 public:
  struct Limits {
    std::size_t history_events = 100'000;
    std::size_t history_bytes = 256u << 20;
  };

  Store() : Store(Limits{}) {}
  explicit Store(Limits limits);

  Revision revision() const { return revision_; }
  Revision compacted_revision() const { return history_.compacted_revision(); }

  // The newest record at `key`; null if there is none.
  RecordPtr get(std::string_view key) const { return tree_.find(key); }

  Snapshot snapshot() const { return {tree_, revision_}; }
  // The state as of `revision`. Errors: kCompacted, kFuture.
  tl::expected<Snapshot, Error> snapshot_at(Revision revision) const;

  // Creates or replaces; returns the stored record. Errors: kExists, kConflict, kNotFound.
  tl::expected<RecordPtr, Error> put(const Write& write);
  // Deletes; returns the revision of the deletion. Errors: kNotFound, kConflict.
  tl::expected<Revision, Error> remove(std::string_view key, Revision expected);

  // Drops history up to and including `revision`. Errors: kFuture, kCompacted (before the last).
  tl::expected<void, Error> compact(Revision revision);

  // Back to a state taken from this store earlier; revisions go on counting, history is dropped,
  // watchers are ended.
  void restore(const Snapshot& state);

  const History& history() const { return history_; }
  WatchHub& hub() { return hub_; }

 private:
  Tree tree_;
  Revision revision_ = 1;
  History history_;
  WatchHub hub_;
};

}  // namespace tabernetes::store
