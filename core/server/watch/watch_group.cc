#include "server/watch/watch_group.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "registry/objects/object_record.h"
#include "server/request/readable.h"
#include "server/watch/watches.h"

namespace tabernetes::server {
namespace {

// For waiting members, the history is read until there are this many bytes of new events.
constexpr std::size_t kBatchBytes = 64u << 10;

std::size_t cost(const WatchGroup::Entry& entry) {
  return sizeof(WatchGroup::Entry) + entry.frame.bytes.size();
}

}  // namespace

WatchGroup::WatchGroup(Watches& watches, WatchKey content, std::size_t position)
    : watches_(watches),
      content_(std::move(content)),
      encoder_(watches.server, *content_.type, content_.form, content_.include),
      begin_(position),
      end_(position) {
  watches_.store.hub().add(content_.scope, this);
}

WatchGroup::~WatchGroup() {
  if (!ended_) watches_.store.hub().remove(content_.scope, this);
  if (ticket_) watches_.webhooks.cancel(*ticket_);
  watches_.forget(*this);
}

void WatchGroup::changed() {
  if (changed_) return;
  changed_ = true;
  watches_.changed_.push_back(this);
}

void WatchGroup::interrupted() {
  ended_ = true;
  drop_all();
  wake_all(end_);
}

void WatchGroup::retire() {
  if (retired_) return;
  read_all();
  retired_ = true;
  wake_all(end_);
}

void WatchGroup::catch_up() {
  changed_ = false;
  if (ended_) return;
  if (waiting_.size() == members_) drop_all();  // all members have read it
  if (!waiting_.empty()) read_on();
  // Reads more while there is room, which makes the group independent of the history's limits.
  while (!blocked() && end_ < watches_.store.settled_end() &&
         log_bytes_ + kBatchBytes <= watches_.log_limit()) {
    read_on();
  }
}

void WatchGroup::read_all() {
  while (!ended_ && !blocked() && end_ < watches_.store.settled_end()) read_on();
}

const WatchGroup::Entry* WatchGroup::find(std::size_t position) {
  while (reaches(position)) {
    const auto found =
        std::lower_bound(log_.begin(), log_.end(), position,
                         [](const Entry& e, std::size_t p) { return e.position < p; });
    if (found != log_.end()) return &*found;
    if (blocked() || end_ == watches_.store.settled_end()) break;
    read_on();
  }
  return nullptr;
}

// REQUIRES: the store has not been restored since the group began.
void WatchGroup::read_on() {
  if (blocked()) return;
  const store::History& history = watches_.store.history();
  const std::size_t from = end_;
  if (!history.kept(end_)) {
    // No member has read for too long.
    begin_ = end_ = watches_.store.settled_end();
    log_.clear();
    log_bytes_ = 0;
    wake_all(from);
    return;
  }
  const std::size_t old_entries = log_.size();
  const std::size_t old_bytes = log_bytes_;
  pending_.begin();
  for (; end_ < watches_.store.settled_end() && log_bytes_ - old_bytes < kBatchBytes; ++end_) {
    const store::Event& change = *history.at(end_);
    auto frame = show(change, pending_);
    if (pending_.incomplete()) {
      wait_for_webhook();
      break;
    }
    if (frame) {
      log_.push_back({end_, change.revision, std::move(*frame)});
      log_bytes_ += cost(log_.back());
    }
  }
  if (log_.size() == old_entries) return;
  trim(log_.size() - old_entries);
  wake_all(from);
}

void WatchGroup::wait_for_webhook() {
  ticket_ = 0;  // it may resume at once
  const auto ticket = watches_.webhooks.ask(pending_, [this] {
    ticket_.reset();
    read_on();
    if (!blocked()) pending_.clear();
    changed();
  });
  if (ticket_) ticket_ = ticket;
}

// Drops the oldest events beyond the limit, but none of the last `fresh`.
void WatchGroup::trim(std::size_t fresh) {
  const std::size_t limit = watches_.log_limit();
  while (log_bytes_ > limit && log_.size() > fresh) {
    log_bytes_ -= cost(log_.front());
    begin_ = log_.front().position + 1;
    log_.pop_front();
  }
}

void WatchGroup::drop_all() {
  log_.clear();
  log_bytes_ = 0;
  begin_ = end_;
}

std::optional<WatchFrame> WatchGroup::show(const store::Event& change,
                                           registry::PendingWork& pending) const {
  // Corruption is not shown; watchers keep the last state until the deletion.
  if (change.current && is_corrupt(*change.current)) return {};
  const store::RecordPtr previous = shown(change.previous, pending);
  const store::RecordPtr current = shown(change.current, pending);
  const bool was = previous && content_.shows(*previous);
  const bool is = current && content_.shows(*current);
  if (!was && !is) return std::nullopt;
  // An object that leaves the selector is shown in its previous state, at the version of the
  // change.
  if (!is) return event(WatchEventType::kDeleted, previous, change.revision, pending);
  return event(was ? WatchEventType::kModified : WatchEventType::kAdded, current, 0, pending);
}

std::optional<WatchFrame> WatchGroup::show(const store::RecordPtr& record,
                                           registry::PendingWork& pending) const {
  const store::RecordPtr object = shown(record, pending);
  if (!content_.shows(*object)) return std::nullopt;
  return event(WatchEventType::kAdded, object, 0, pending);
}

store::RecordPtr WatchGroup::shown(const store::RecordPtr& record,
                                   registry::PendingWork& pending) const {
  return record ? registry::record_in_version(*content_.type, record, &pending) : record;
}

WatchFrame WatchGroup::event(WatchEventType type, const store::RecordPtr& record,
                             store::Revision version, const registry::PendingWork& pending) const {
  if (const auto& failure = pending.failure()) {
    return encoder_.error(errors::plain_error(*failure));
  }
  return encoder_.event(type, record, version, watches_.now);
}

const Slice& WatchGroup::first_of_watch(const Slice& frame) {
  if (!encoder_.makes_tables()) return frame;
  if (first_.frame.owner() != frame.owner()) first_ = {frame, encoder_.with_columns(frame)};
  return first_.with_columns;
}

const WatchFrame& WatchGroup::bookmark(store::Revision revision, WatchEncoder::Bookmark kind) {
  if (bookmark_.revision != revision || bookmark_.kind != kind) {
    bookmark_ = {revision, kind, encoder_.bookmark(revision, kind, watches_.now)};
  }
  return bookmark_.frame;
}

void WatchGroup::wait(Member& member) {
  assert(!member.waits_at_);
  member.waits_at_ = waiting_.size();
  waiting_.push_back(&member);
}

void WatchGroup::leave(Member& member) {
  stop_waiting(member);
  --members_;
}

void WatchGroup::stop_waiting(Member& member) {
  if (!member.waits_at_) return;
  Member* const last = waiting_.back();
  waiting_[*member.waits_at_] = last;
  last->waits_at_ = member.waits_at_;
  waiting_.pop_back();
  member.waits_at_.reset();
}

// RevisionWaiters members have received everything shown before `position`.
void WatchGroup::wake_all(std::size_t position) {
  for (Member* member : std::exchange(waiting_, {})) {
    member->waits_at_.reset();
    member->position = position;
    member->wake();
  }
}

}  // namespace tabernetes::server
