// The log of changes, bounded by count, bytes and age: watches replay it and old reads undo it.
//
// Events are grouped in segments that never change once they are full, so that a copy of the
// History (for a fork) shares them and costs a few hundred pointers. Events are freed segment by
// segment: up to one segment of dropped events may still take memory.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string_view>
#include <vector>

#include "store/record.h"
#include "tabernetes/time.h"

namespace tabernetes::store {

// One change of one key. Creation: no `previous`. Deletion: no `current`.
struct Event {
  Revision revision = 0;
  Time time;             // when it was committed
  std::string_view key;  // of `current` or `previous`
  RecordPtr current;
  RecordPtr previous;
};
using EventPtr = std::shared_ptr<const Event>;

class History {
 public:
  struct Limits {
    std::size_t events = 100'000;
    std::size_t bytes = 256u << 20;
    Duration age = Duration::from_seconds(300);
  };

  explicit History(const Limits& limits) : limits_(limits) {}

  // REQUIRES: event->revision >= every earlier one; event->time >= every earlier one.
  void append(EventPtr event);
  void expire(Time now);            // drops events older than the limit
  void compact(Revision revision);  // drops events up to and including `revision`
  // Drops all events, invalidates all positions; compacted at `revision`.
  void clear(Revision revision);
  // Keeps all events from `position` on, whatever the limits. REQUIRES: compact() is not called for
  // them.
  void pin(std::size_t position) { pinned_ = position; }
  static constexpr std::size_t kNothing = static_cast<std::size_t>(-1);  // pins nothing
  // Drops the events from `position` on, whose positions the next ones take. REQUIRES:
  // kept(position) and position <= end().
  void truncate(std::size_t position);

  // The events after `revision`, oldest first, have the positions [first_after(revision), end()).
  // REQUIRES: revision >= compacted_revision().
  std::size_t first_after(Revision revision) const;
  std::size_t end() const { return open_.end(); }
  // REQUIRES: kept(position) and position < end(). Valid until the history changes.
  const EventPtr& at(std::size_t position) const;
  // Returns false for a position whose event was dropped, and for every position from before a
  // clear().
  bool kept(std::size_t position) const { return position >= begin_; }

  // Returns the oldest revision whose state can be read or watched from.
  Revision compacted_revision() const { return compacted_; }

 private:
  struct Segment {
    std::size_t begin = 0;  // position of the first event
    std::vector<EventPtr> events;

    std::size_t end() const { return begin + events.size(); }
  };
  using SegmentPtr = std::shared_ptr<const Segment>;

  bool empty() const { return begin_ == end(); }
  const Event& oldest() const { return *at(begin_); }
  bool may_drop() const { return !empty() && begin_ < pinned_; }
  void close();  // moves the open segment to the full ones
  void drop_oldest();
  void trim();

  std::deque<SegmentPtr> full_;  // oldest first; the first one may begin with dropped events
  Segment open_;                 // the newest events; not full yet
  std::size_t open_bytes_ = 0;
  std::size_t begin_ = 0;  // position of the oldest event that is kept
  std::size_t bytes_ = 0;  // kept alive by the events
  std::size_t pinned_ = kNothing;
  Limits limits_;
  Revision compacted_ = 1;
};

}  // namespace tabernetes::store
