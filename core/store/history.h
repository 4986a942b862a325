// The log of changes, bounded by count, bytes and age: what watches replay and old reads undo.
//
// Events lie in segments that never change once they are full, so that a copy of the History (for a
// fork) shares them and costs a few hundred pointers. What is dropped goes segment by segment: up
// to one segment of dropped events may still take memory.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string_view>
#include <vector>

#include "store/record.h"
#include "tabernetes/time.h"

namespace tabernetes::store {

// One change of one key. Created: no `previous`. Deleted: no `current`.
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

  // REQUIRES: event->revision > every earlier one; event->time is no earlier.
  void append(EventPtr event);
  void expire(Time now);            // drops events that are older than the limit
  void compact(Revision revision);  // drops events up to and including `revision`
  void clear(Revision revision);    // drops all; compacted at `revision`; no position is kept

  // Events after `revision`, oldest first: positions [first_after(revision), end()).
  // REQUIRES: revision >= compacted_revision().
  std::size_t first_after(Revision revision) const;
  std::size_t end() const { return open_.end(); }
  // REQUIRES: kept(position) and position < end(). Valid until the history changes.
  const EventPtr& at(std::size_t position) const;
  // False for a position whose event was dropped, and for all from before a clear().
  bool kept(std::size_t position) const { return position >= begin_; }

  // States and watches from this revision on can be had.
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
  void close();  // makes the open segment one of the full ones
  void drop_oldest();
  void trim();

  std::deque<SegmentPtr> full_;  // oldest first; the first one may begin with dropped events
  Segment open_;                 // what follows them, being filled
  std::size_t open_bytes_ = 0;
  std::size_t begin_ = 0;  // position of the oldest event that is kept
  std::size_t bytes_ = 0;  // what the kept events keep alive
  Limits limits_;
  Revision compacted_ = 1;
};

}  // namespace tabernetes::store
