// Lists of completion indexes. Source: upstream 1.36 pkg/apis/batch/validation/validation.go,
// validateIndexesFormat.
#include "kinds/batch/job_indexes.h"

#include <algorithm>
#include <string>

#include "base/go/text.h"
#include "base/text/ascii.h"

namespace tabernetes::registry::kinds {
namespace {

struct Interval {
  std::int64_t first = 0, last = 0;
  std::string error;
};

// Returns false if the text is not a number, or the number is too large.
bool read_index(std::string_view text, std::int64_t completions, std::int64_t& value,
                std::string& error) {
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative || text.starts_with('+') ? 1 : 0);
  const bool number = digits.size() < 19 && is_number(digits);
  if (!number) {
    error = "cannot convert string to integer for index: " + go_quote(text);
    return false;
  }
  value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  if (negative) value = -value;
  if (value < completions) return true;
  error = "too large index: " + go_quote(text);
  return false;
}

std::string not_rising(std::int64_t before, std::int64_t now) {
  return "non-increasing order, previous: " + std::to_string(before) +
         ", current: " + std::to_string(now);
}

Interval read_interval(std::string_view text, std::int64_t completions) {
  Interval interval;
  const std::size_t dash = text.find('-');
  if (dash != std::string_view::npos && text.find('-', dash + 1) != std::string_view::npos) {
    interval.error = "the fragment " + go_quote(text) +
                     " violates the requirement that an index interval can have at most two parts "
                     "separated by '-'";
    return interval;
  }
  if (!read_index(text.substr(0, dash), completions, interval.first, interval.error)) {
    return interval;
  }
  interval.last = interval.first;
  if (dash == std::string_view::npos) return interval;
  if (!read_index(text.substr(dash + 1), completions, interval.last, interval.error)) {
    return interval;
  }
  if (interval.first >= interval.last) {
    interval.error = not_rising(interval.first, interval.last);
  }
  return interval;
}

// Reads the next interval of a list separated by commas; returns false at its end.
bool next(std::string_view& rest, bool& any, Interval& interval, std::int64_t completions) {
  if (!any) return false;
  const std::size_t comma = rest.find(',');
  interval = read_interval(rest.substr(0, comma), completions);
  any = comma != std::string_view::npos;
  if (any) rest.remove_prefix(comma + 1);
  return true;
}

}  // namespace

Indexes read_indexes(std::string_view text, std::int64_t completions) {
  Indexes indexes;
  bool any = !text.empty();
  Interval interval;
  bool first = true;
  std::int64_t last = 0;
  while (next(text, any, interval, completions)) {
    if (interval.error.empty() && !first && last >= interval.first) {
      interval.error = not_rising(last, interval.first);
    }
    if (!interval.error.empty()) return {0, interval.error};
    indexes.count += interval.last - interval.first + 1;
    last = interval.last;
    first = false;
  }
  return indexes;
}

std::string overlap_of(std::string_view completed, std::string_view failed,
                       std::int64_t completions) {
  bool more_completed = !completed.empty();
  bool more_failed = !failed.empty();
  Interval done;
  Interval lost;
  bool has_done = next(completed, more_completed, done, completions);
  bool has_lost = next(failed, more_failed, lost, completions);
  while (has_done && has_lost) {
    // Syntax errors are reported elsewhere.
    if (!done.error.empty()) {
      has_done = next(completed, more_completed, done, completions);
    } else if (!lost.error.empty()) {
      has_lost = next(failed, more_failed, lost, completions);
    } else if (done.first <= lost.last && lost.first <= done.last) {
      return "failedIndexes and completedIndexes overlap at index: " +
             std::to_string(std::max(done.first, lost.first));
    } else if (done.first <= lost.first) {
      has_done = next(completed, more_completed, done, completions);
    } else {
      has_lost = next(failed, more_failed, lost, completions);
    }
  }
  return {};
}

}  // namespace tabernetes::registry::kinds
