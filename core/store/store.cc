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
  commit(revision, now_, stored, std::move(previous));
  return stored;
}

tl::expected<Revision, Error> Store::remove(std::string_view key, Revision expected) {
  RecordPtr previous = tree_.find(key);
  if (!previous) return tl::make_unexpected(Error::kNotFound);
  if (expected != 0 && previous->revision != expected) {
    return tl::make_unexpected(Error::kConflict);
  }
  commit(revision_ + 1, now_, nullptr, std::move(previous));
  return revision_;
}

// The only place where the store changes, and so the order of all changes.
void Store::commit(Revision revision, Time time, RecordPtr current, RecordPtr previous) {
  auto event = std::make_shared<Event>();
  event->revision = revision_ = revision;
  event->time = time;
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
  if (!settled_) hub_.publish(*event);
}

void Store::replay(std::string_view key, std::shared_ptr<Record> record, Revision revision,
                   Time time) {
  assert(revision >= revision_);
  RecordPtr previous = tree_.find(key);
  if (record) {
    record->revision = revision;
  } else if (!previous) {
    revision_ = revision;
    return;
  }
  commit(revision, time, std::move(record), std::move(previous));
}

void Store::hold_changes() {
  settled_ = {snapshot(), history_.end()};
  history_.pin(settled_->end);
}

void Store::settle(Snapshot state, std::size_t end) {
  const std::size_t begin = std::exchange(*settled_, {std::move(state), end}).end;
  history_.pin(end);
  if (!history_.kept(begin)) return;  // restored: there are no watchers of what was before
  for (std::size_t at = begin; at < end; ++at) hub_.publish(*history_.at(at));
}

void Store::undo() {
  const Revision last = revision_;
  if (history_.kept(settled_->end)) {
    history_.truncate(settled_->end);
    past_.undo(settled_->state.revision);
    tree_.reset(settled_->state.tree);
  } else {
    restore(settled_->state);
    settled_->end = history_.end();
    history_.pin(settled_->end);
  }
  revision_ = last;
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
