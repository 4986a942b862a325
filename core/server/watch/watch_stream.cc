#include "server/watch/watch_stream.h"

#include <algorithm>
#include <utility>

namespace tabernetes::server {
namespace {

constexpr Duration kBookmarkInterval = Duration::from_seconds(60);
constexpr Duration kLastBookmark = Duration::from_seconds(2);  // before the end
constexpr std::size_t kUnitBytes = 256u << 10;
constexpr std::size_t kReviewed = 500;  // objects in a review for the initial events

bool is_full(const Rope& unit) { return unit.size() >= kUnitBytes; }

}  // namespace

WatchStream::WatchStream(Watches& watches, WatchKey content, WatchOptions start)
    : watches_(watches), start_(std::move(start)) {
  const store::Store& store = watches_.store;
  const bool replays = !start_.with_objects && !start_.error;
  position = store.settled_end();
  if (replays) position = std::min(position, store.history().first_after(start_.version));
  group_ = watches_.group_of(std::move(content), position);
  group_->join();
  if (start_.error) return;
  end_timer_ = watches_.deadlines.add(start_.end, [this] {
    end_timer_.reset();
    reach_deadline();
  });
  if (!start_.with_objects || start_.version <= watches_.store.settled_revision()) {
    begin();
  } else if (start_.patience == Duration{}) {
    refuse_version();
  } else {
    wait_for_version();
  }
}

void WatchStream::wait_for_version() {
  const auto go_on = [this](bool reached) {
    waits_.reset();
    if (reached) {
      begin();
    } else {
      refuse_version();
    }
    wake();
  };
  waits_ = watches_.waiting.add(start_.version, watches_.now + start_.patience, go_on);
}

void WatchStream::refuse_version() {
  start_.error = errors::too_large_resource_version(
      std::to_string(start_.version), std::to_string(watches_.store.settled_revision()));
}

void WatchStream::begin() {
  if (start_.with_objects) {
    objects_ = watches_.store.settled_snapshot();
    next_key_ = group_->content().scope;
    start_.version = objects_->revision;
    position = watches_.store.settled_end();
  }
  if (start_.bookmarks) arm_bookmark();
}

// Schedules bookmarks every minute, and shortly before the end.
void WatchStream::arm_bookmark() {
  const Time now = watches_.now;
  const Duration left = start_.end - now;
  if (!(kLastBookmark < left)) return;
  const Time last = start_.end + Duration{-kLastBookmark.nanoseconds};
  const Time next = kBookmarkInterval < last - now ? now + kBookmarkInterval : last;
  bookmark_timer_ = watches_.deadlines.add(next, [this] {
    bookmark_timer_.reset();
    bookmark_due_ = true;
    arm_bookmark();
    wake();
  });
}

// Events before the deadline are still delivered, later ones are not.
void WatchStream::reach_deadline() {
  last_ = {watches_.store.settled_end(), watches_.store.settled_revision()};
  if (!has_something()) end();
  wake();
}

void WatchStream::end() {
  if (ended_) return;
  ended_ = true;
  if (end_timer_) watches_.deadlines.cancel(*end_timer_);
  if (bookmark_timer_) watches_.deadlines.cancel(*bookmark_timer_);
  if (waits_) watches_.waiting.cancel(*waits_);
  if (ticket_) watches_.webhooks.cancel(*ticket_);
  objects_.reset();
  start_.entry = {};
  group_->leave(*this);
  group_.reset();
}

Rope WatchStream::next() {
  Rope unit = std::exchange(held_, {});
  if (ended_) return unit;
  group_->stop_waiting(*this);
  take(unit);
  unit.append(std::exchange(held_, {}));
  if (done_) end();
  return unit;
}

void WatchStream::take(Rope& unit) {
  if (start_.error) {
    give(unit, group_->encoder().error(*start_.error));
  } else if (group_->ended()) {
    done_ = true;
  } else if (!waits_ && !ticket_) {
    if (group_->retired() && !last_) {
      last_ = {watches_.store.settled_end(), watches_.store.settled_revision()};
    }
    if (objects_) take_objects(unit);
    if (!objects_) take_events(unit);
    if (bookmark_due_) take_bookmark(unit);
    if (last_ && !has_something()) done_ = true;
  }
}

void WatchStream::on_ready(std::function<void()> wake) {
  if (has_something()) {
    wake();
    return;
  }
  wake_ = std::move(wake);
  group_->stop_waiting(*this);
  if (!waits_ && !ticket_) group_->wait(*this);
}

void WatchStream::wake() {
  if (wake_) watches_.wake_later(std::exchange(wake_, nullptr));
}

std::size_t WatchStream::limit() const {
  return last_ ? last_->position : watches_.store.settled_end();
}

// Returns whether next() should be called; there may still be nothing to show.
bool WatchStream::has_something() {
  if (ended_ || group_->ended() || start_.error) return true;
  if (group_->retired() && !last_) return true;
  if (!held_.empty()) return true;
  if (waits_ || ticket_) return false;
  if (objects_ || bookmark_due_) return true;
  if (position < limit() && group_->reaches(position)) {
    const WatchGroup::Entry* entry = group_->find(position);
    if (entry != nullptr) return entry->position < limit();
    if (group_->reaches(position)) position = group_->end();
  }
  return position < limit() && !stands_at_block();
}

// Returns whether the group waits for a webhook before it can continue.
bool WatchStream::stands_at_block() const { return group_->blocked() && position >= group_->end(); }

// Returns true if the next event lacks a conversion; continues once the webhook has answered.
bool WatchStream::wait_for_webhook() {
  if (!pending_.incomplete()) return false;
  ticket_ = 0;  // it may resume at once
  const auto ticket = watches_.webhooks.ask(pending_, [this] {
    ticket_.reset();
    take(held_);
    if (!ticket_) pending_.clear();
    wake();
  });
  if (ticket_) ticket_ = ticket;
  return true;
}

void WatchStream::take_objects(Rope& unit) {
  const WatchKey& content = group_->content();
  pending_.begin();
  bool more = false;
  std::size_t asked = 0;
  objects_->tree.scan(next_key_, content.scope_end(),
                      [&](std::string_view key, const store::RecordPtr& record) {
                        if (!more) {
                          more = is_full(unit);
                          if (more) next_key_.assign(key);
                        }
                        // Many missing conversions go into one review.
                        if (more && (!pending_.incomplete() || ++asked == kReviewed)) {
                          return false;
                        }
                        const auto frame = group_->show(record, pending_);
                        if (!more && pending_.incomplete()) {
                          more = true;
                          next_key_.assign(key);
                        }
                        if (!more && frame) give(unit, *frame);
                        return !done_;
                      });
  if (wait_for_webhook() || more || done_) return;
  objects_.reset();
  if (start_.objects_end) {
    give(unit, group_->bookmark(start_.version, WatchEncoder::Bookmark::kInitialEventsEnd));
  }
}

void WatchStream::take_events(Rope& unit) {
  while (position < limit() && !is_full(unit) && !done_ && !ticket_ && !stands_at_block()) {
    if (group_->reaches(position)) {
      take_logged(unit);
    } else {
      take_replayed(unit);
    }
  }
}

// Delivers the next event of the group's log.
void WatchStream::take_logged(Rope& unit) {
  const WatchGroup::Entry* entry = group_->find(position);
  if (entry == nullptr) {
    if (group_->reaches(position)) position = group_->end();
    return;
  }
  position = entry->position + 1;
  if (position <= limit() && entry->revision > start_.version) give(unit, entry->frame);
}

// Delivers the next event of the history, where the group's log does not reach back to it.
void WatchStream::take_replayed(Rope& unit) {
  const store::History& history = watches_.store.history();
  if (!history.kept(position)) {
    done_ = true;  // too slow: the missed events are gone
    return;
  }
  pending_.begin();
  const store::Event& change = *history.at(position);
  const bool counts = change.revision > start_.version;
  const auto frame = counts ? group_->show(change, pending_) : std::nullopt;
  if (wait_for_webhook()) return;
  ++position;
  if (frame) give(unit, *frame);
}

void WatchStream::take_bookmark(Rope& unit) {
  if (objects_ || done_ || position < limit() || is_full(unit)) return;
  bookmark_due_ = false;
  const store::Revision revision = last_ ? last_->revision : watches_.store.settled_revision();
  if (revision <= start_.version) return;
  give(unit, group_->bookmark(revision, WatchEncoder::Bookmark::kProgress));
}

void WatchStream::give(Rope& unit, const WatchFrame& frame) {
  if (frame.last) {
    done_ = true;
    unit.append(frame.bytes);
    return;
  }
  unit.append(columns_given_ ? frame.bytes : group_->first_of_watch(frame.bytes));
  columns_given_ = true;
}

}  // namespace tabernetes::server
