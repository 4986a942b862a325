#include "controllers/batch/index_set.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/algorithm/sort.h"
#include "base/text/parts.h"

namespace tabernetes::controllers {
namespace {

std::optional<int> read_index(std::string_view text) {
  int index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return index;
}

}  // namespace

IndexSet IndexSet::parse(std::string_view text, int completions) {
  IndexSet set;
  while (!text.empty()) {
    std::string_view part = take_part(text, ',');
    const auto first = read_index(take_part(part, '-'));
    const auto last = part.empty() ? first : read_index(part);
    if (!first || !last) continue;
    if (*first >= completions) break;
    const Interval interval{*first, std::min(*last, completions - 1)};
    if (!set.intervals_.empty() && set.intervals_.back().last == interval.first - 1) {
      set.intervals_.back().last = interval.last;
    } else {
      set.intervals_.push_back(interval);
    }
  }
  return set;
}

bool IndexSet::has(int index) const {
  return std::any_of(intervals_.begin(), intervals_.end(), [&](const Interval& interval) {
    return interval.first <= index && index <= interval.last;
  });
}

int IndexSet::total() const {
  int count = 0;
  for (const Interval& interval : intervals_) count += interval.last - interval.first + 1;
  return count;
}

std::string IndexSet::to_string() const {
  std::string text;
  for (const Interval& interval : intervals_) {
    if (!text.empty()) text += ',';
    text += std::to_string(interval.first);
    if (interval.last == interval.first) continue;
    text += interval.last == interval.first + 1 ? ',' : '-';
    text += std::to_string(interval.last);
  }
  return text;
}

void IndexSet::merge(const IndexSet& other) {
  std::vector<Interval> all = intervals_;
  all.insert(all.end(), other.intervals_.begin(), other.intervals_.end());
  sort_stable(all, [](const Interval& a, const Interval& b) { return a.first < b.first; });
  intervals_.clear();
  for (const Interval& interval : all) {
    if (intervals_.empty() || interval.first > intervals_.back().last + 1) {
      intervals_.push_back(interval);
    } else {
      intervals_.back().last = std::max(intervals_.back().last, interval.last);
    }
  }
}

int IndexSet::overlap(const IndexSet& other) const {
  int count = 0;
  for (const Interval& a : intervals_) {
    for (const Interval& b : other.intervals_) {
      count += std::max(0, std::min(a.last, b.last) - std::max(a.first, b.first) + 1);
    }
  }
  return count;
}

std::vector<int> IndexSet::missing(int count, int completions) const {
  std::vector<int> found;
  int candidate = 0;
  const auto take_below = [&](int limit) {
    for (; candidate < std::min(limit, completions) && static_cast<int>(found.size()) < count;
         ++candidate) {
      found.push_back(candidate);
    }
  };
  for (const Interval& interval : intervals_) {
    take_below(interval.first);
    candidate = std::max(candidate, interval.last + 1);
  }
  take_below(completions);
  return found;
}

}  // namespace tabernetes::controllers
