#include "store/store.h"

#include <cassert>
#include <utility>

namespace tabernetes::store {

void Store::advance(Time now) {
  now_ = now;
  history_.expire(now);
  past_.compact(compacted_revision());
}

tl::expected<Snapshot, Error> Store::snapshot_at(Revision revision) const {
  if (revision > revision_) return tl::make_unexpected(Error::kFuture);
  if (revision < compacted_revision()) return tl::make_unexpected(Error::kCompacted);
  return past_.at(revision, snapshot(), history_);
}

tl::expected<RecordPtr, Error> Store::put(const Write& write) {
  RecordPtr previous = tree_.find(write.key);
  if (write.expected == 0) {
    if (previous) return tl::make_unexpected(Error::kExists);
  } else if (!previous) {
    return tl::make_unexpected(Error::kNotFound);
  } else if (previous->revision != write.expected) {
    return tl::make_unexpected(Error::kConflict);
  }
  const Revision revision = revision_ + 1;
  std::shared_ptr<Record> record = write.make(revision);
  assert(record && revision == revision_ + 1);
  record->key = write.key;
  record->revision = revision;
  RecordPtr stored = std::move(record);
  commit(stored, std::move(previous));
  return stored;
}

tl::expected<Revision, Error> Store::remove(std::string_view key, Revision expected) {
  RecordPtr previous = tree_.find(key);
  if (!previous) return tl::make_unexpected(Error::kNotFound);
  if (expected != 0 && previous->revision != expected) {
    return tl::make_unexpected(Error::kConflict);
  }
  commit(nullptr, std::move(previous));
  return revision_;
}

// The only place where the store changes, and so the order of all changes.
void Store::commit(RecordPtr current, RecordPtr previous) {
  auto event = std::make_shared<Event>();
  event->revision = ++revision_;
  event->time = now_;
  event->key = current ? current->key : previous->key;
  event->current = std::move(current);
  event->previous = std::move(previous);
  if (event->current) {
    tree_.put(event->current);
  } else {
    tree_.erase(event->key);
  }
  history_.append(event);
  past_.compact(compacted_revision());
  if (past_.wants(revision_)) past_.note(snapshot());
  hub_.publish(*event);
}

tl::expected<void, Error> Store::compact(Revision revision) {
  if (revision > revision_) return tl::make_unexpected(Error::kFuture);
  if (revision < compacted_revision()) return tl::make_unexpected(Error::kCompacted);
  history_.compact(revision);
  past_.compact(revision);
  return {};
}

void Store::restore(Snapshot state) {
  tree_.reset(std::move(state.tree));
  revision_ = state.revision;
  history_.clear(revision_);
  past_.clear();
  hub_.interrupt_all();
}

}  // namespace tabernetes::store
