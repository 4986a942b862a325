// The log of changes, bounded by count and bytes: what watches replay and old reads undo.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string_view>

#include "store/record.h"

namespace tabernetes::store {

// One change of one key. Created: no `previous`. Deleted: no `current`.
struct Event {
  Revision revision = 0;
  std::string_view key;  // of `current` or `previous`
  RecordPtr current;
  RecordPtr previous;
};
using EventPtr = std::shared_ptr<const Event>;

class History {
 public:
  History(std::size_t max_events, std::size_t max_bytes)
      : max_events_(max_events), max_bytes_(max_bytes) {}

  void append(EventPtr event);      // REQUIRES: event->revision > every earlier one
  void compact(Revision revision);  // drops events up to and including `revision`
  void clear(Revision revision);    // drops all; compacted at `revision`; no position is kept

  // Events after `revision`, oldest first: positions [first_after(revision), end()).
  // REQUIRES: revision >= compacted_revision().
  std::size_t first_after(Revision revision) const;
  std::size_t end() const { return base_ + events_.size(); }
  // REQUIRES: kept(position) and position < end(). Valid until the history changes.
  const EventPtr& at(std::size_t position) const { return events_[position - base_]; }
  // False for a position whose event was dropped, and for all from before a clear().
  bool kept(std::size_t position) const { return position >= base_; }

  // States and watches from this revision on can be had.
  Revision compacted_revision() const { return compacted_; }

 private:
  void drop_oldest();

  std::deque<EventPtr> events_;
  std::size_t base_ = 0;   // position of events_.front()
  std::size_t bytes_ = 0;  // what the kept events keep alive
  std::size_t max_events_, max_bytes_;
  Revision compacted_ = 1;
};

}  // namespace tabernetes::store
