#include "store/history.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tabernetes::store {
namespace {

// Limits of a segment: a number of events, and this fraction of the byte limit.
constexpr std::size_t kSegmentEvents = 512;
constexpr std::size_t kSegmentsOfBytes = 64;

// Returns the bytes kept alive by the event: its own and those of the record it replaced.
std::size_t cost(const Event& event) {
  std::size_t bytes = sizeof(Event);
  if (event.previous) {
    bytes += sizeof(Record) + event.previous->key.size() + event.previous->bytes.size();
  }
  return bytes;
}

}  // namespace

void History::append(EventPtr event) {
  assert(empty() || at(end() - 1)->revision <= event->revision);
  const std::size_t bytes = cost(*event);
  bytes_ += bytes;
  open_bytes_ += bytes;
  open_.events.push_back(std::move(event));
  const bool is_full =
      open_.events.size() == kSegmentEvents || open_bytes_ >= limits_.bytes / kSegmentsOfBytes;
  if (is_full) close();
  while (may_drop() && (end() - begin_ > limits_.events || bytes_ > limits_.bytes)) drop_oldest();
}

void History::expire(Time now) {
  while (may_drop() && limits_.age < now - oldest().time) drop_oldest();
}

void History::compact(Revision revision) {
  while (!empty() && oldest().revision <= revision) drop_oldest();
  compacted_ = std::max(compacted_, revision);
  trim();
}

void History::clear(Revision revision) {
  begin_ = end() + 1;  // invalidates a cursor at the end, too
  full_.clear();
  open_ = {begin_, {}};
  open_bytes_ = bytes_ = 0;
  compacted_ = revision;
}

void History::truncate(std::size_t position) {
  assert(kept(position) && position <= end());
  while (end() > position) {
    if (open_.events.empty()) {
      open_ = *full_.back();
      full_.pop_back();
      for (const EventPtr& event : open_.events) open_bytes_ += cost(*event);
    }
    const std::size_t bytes = cost(*open_.events.back());
    bytes_ -= bytes;
    open_bytes_ -= bytes;
    open_.events.pop_back();
  }
}

std::size_t History::first_after(Revision revision) const {
  const auto later = [](Revision r, const EventPtr& event) { return r < event->revision; };
  const auto segment =
      std::upper_bound(full_.begin(), full_.end(), revision,
                       [&](Revision r, const SegmentPtr& s) { return later(r, s->events.back()); });
  const Segment& within = segment == full_.end() ? open_ : **segment;
  const auto after = std::upper_bound(within.events.begin(), within.events.end(), revision, later);
  return within.begin + static_cast<std::size_t>(after - within.events.begin());
}

const EventPtr& History::at(std::size_t position) const {
  assert(kept(position) && position < end());
  if (position >= open_.begin) return open_.events[position - open_.begin];
  const auto after =
      std::upper_bound(full_.begin(), full_.end(), position,
                       [](std::size_t p, const SegmentPtr& segment) { return p < segment->begin; });
  const Segment& segment = **(after - 1);
  return segment.events[position - segment.begin];
}

void History::close() {
  const std::size_t end = open_.end();
  full_.push_back(std::make_shared<const Segment>(std::exchange(open_, Segment{end, {}})));
  open_bytes_ = 0;
}

void History::drop_oldest() {
  const Event& event = oldest();
  compacted_ = std::max(compacted_, event.revision);
  bytes_ -= cost(event);
  ++begin_;
  if (!full_.empty() && begin_ == full_.front()->end()) full_.pop_front();
}

// Frees the dropped events of the oldest segment, too.
void History::trim() {
  if (full_.empty()) {
    open_.events.erase(open_.events.begin(),
                       open_.events.begin() + static_cast<std::ptrdiff_t>(begin_ - open_.begin));
    open_.begin = begin_;
    return;
  }
  const Segment& first = *full_.front();
  const auto kept = first.events.begin() + static_cast<std::ptrdiff_t>(begin_ - first.begin);
  full_.front() = std::make_shared<const Segment>(Segment{begin_, {kept, first.events.end()}});
}

}  // namespace tabernetes::store
