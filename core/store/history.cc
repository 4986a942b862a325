#include "store/history.h"

#include <algorithm>
#include <cassert>

namespace tabernetes::store {
namespace {

// The bytes that live for the event's sake: itself, and the record that it replaced.
std::size_t cost(const Event& event) {
  std::size_t bytes = sizeof(Event);
  if (event.previous) {
    bytes += sizeof(Record) + event.previous->key.size() + event.previous->bytes.size();
  }
  return bytes;
}

}  // namespace

void History::append(EventPtr event) {
  assert(events_.empty() || events_.back()->revision < event->revision);
  bytes_ += cost(*event);
  events_.push_back(std::move(event));
  while (events_.size() > max_events_ || (bytes_ > max_bytes_ && !events_.empty())) drop_oldest();
}

void History::compact(Revision revision) {
  while (!events_.empty() && events_.front()->revision <= revision) drop_oldest();
  compacted_ = std::max(compacted_, revision);
}

void History::clear(Revision revision) {
  base_ = end() + 1;  // so that a cursor that stood at the end is not kept either
  events_.clear();
  bytes_ = 0;
  compacted_ = std::max(compacted_, revision);
}

std::size_t History::first_after(Revision revision) const {
  const auto after =
      std::upper_bound(events_.begin(), events_.end(), revision,
                       [](Revision r, const EventPtr& event) { return r < event->revision; });
  return base_ + static_cast<std::size_t>(after - events_.begin());
}

void History::drop_oldest() {
  compacted_ = std::max(compacted_, events_.front()->revision);
  bytes_ -= cost(*events_.front());
  events_.pop_front();
  ++base_;
}

}  // namespace tabernetes::store
