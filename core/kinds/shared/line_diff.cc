#include "kinds/shared/line_diff.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/text/parts.h"

namespace tabernetes::registry::kinds {
namespace {

constexpr int kContext = 3;
constexpr std::size_t kMostLines = 10000;
constexpr std::size_t kLongText = 200;  // lines

using Lines = std::vector<std::string_view>;

// Equal lines: `size` lines at `a` and at `b`.
struct MatchingBlock {
  int a = 0, b = 0, size = 0;
};

class Matcher {
 public:
  Matcher(const Lines& a, const Lines& b) : a_(a), b_(b), lengths_(b.size() + 1, 0) {
    for (int j = 0; j < static_cast<int>(b.size()); ++j) places_.push_back(j);
    // Stable: positions of the same line stay sorted.
    sort_stable(places_, [&](int i, int j) { return b[i] < b[j]; });
  }

  // Returns all runs in order; the last one is empty, at the end of both texts.
  std::vector<MatchingBlock> runs() {
    std::vector<MatchingBlock> found;
    // A stack of ranges still to be searched.
    struct Range {
      int a_begin, a_end, b_begin, b_end;
      MatchingBlock run = {};  // a run to output, instead of a range
    };
    std::vector<Range> todo = {
        {0, static_cast<int>(a_.size()), 0, static_cast<int>(b_.size()), {}}};
    while (!todo.empty()) {
      const Range range = todo.back();
      todo.pop_back();
      if (range.run.size > 0) {
        add(found, range.run);
        continue;
      }
      const MatchingBlock run = longest(range.a_begin, range.a_end, range.b_begin, range.b_end);
      if (run.size == 0) continue;
      if (run.a + run.size < range.a_end && run.b + run.size < range.b_end) {
        todo.push_back({run.a + run.size, range.a_end, run.b + run.size, range.b_end, {}});
      }
      todo.push_back({0, 0, 0, 0, run});
      if (range.a_begin < run.a && range.b_begin < run.b) {
        todo.push_back({range.a_begin, run.a, range.b_begin, run.b, {}});
      }
    }
    found.push_back({static_cast<int>(a_.size()), static_cast<int>(b_.size()), 0});
    return found;
  }

 private:
  static void add(std::vector<MatchingBlock>& runs, const MatchingBlock& run) {
    if (!runs.empty() && runs.back().a + runs.back().size == run.a &&
        runs.back().b + runs.back().size == run.b) {
      runs.back().size += run.size;
    } else {
      runs.push_back(run);
    }
  }

  // Returns the positions of the line in b, ascending; none if the line is too frequent.
  std::pair<const int*, const int*> offsets_of(std::string_view line) const {
    const auto first = std::lower_bound(places_.begin(), places_.end(), line,
                                        [&](int j, std::string_view text) { return b_[j] < text; });
    auto last = first;
    while (last != places_.end() && b_[*last] == line) ++last;
    const auto count = static_cast<std::size_t>(last - first);
    if (b_.size() >= kLongText && count > b_.size() / 100 + 1) return {nullptr, nullptr};
    return {places_.data() + (first - places_.begin()), places_.data() + (last - places_.begin())};
  }

  MatchingBlock longest(int a_begin, int a_end, int b_begin, int b_end) {
    MatchingBlock best{a_begin, b_begin, 0};
    // lengths_[j + 1]: length of the run that ends at the previous line of a and at b[j].
    std::vector<std::pair<int, int>> before;
    std::vector<std::pair<int, int>> now;
    for (int i = a_begin; i < a_end; ++i) {
      now.clear();
      const auto [first, last] = offsets_of(a_[i]);
      for (const int* place = first; place != last; ++place) {
        if (*place < b_begin) continue;
        if (*place >= b_end) break;
        const int size = lengths_[*place] + 1;
        now.emplace_back(*place + 1, size);
        if (size > best.size) best = {i - size + 1, *place - size + 1, size};
      }
      for (const auto& [j, size] : before) lengths_[j] = 0;
      for (const auto& [j, size] : now) lengths_[j] = size;
      before.swap(now);
    }
    for (const auto& [j, size] : before) lengths_[j] = 0;
    while (best.a > a_begin && best.b > b_begin && a_[best.a - 1] == b_[best.b - 1]) {
      --best.a;
      --best.b;
      ++best.size;
    }
    while (best.a + best.size < a_end && best.b + best.size < b_end &&
           a_[best.a + best.size] == b_[best.b + best.size]) {
      ++best.size;
    }
    return best;
  }

  const Lines& a_;
  const Lines& b_;
  std::vector<int> places_;   // indices of b's lines, sorted by line
  std::vector<int> lengths_;  // see longest()
};

// The lines of both texts in one part of the diff.
struct Change {
  int a_begin, a_end, b_begin, b_end;
  bool equal;
};

std::vector<Change> changes_between(const Lines& a, const Lines& b) {
  std::vector<Change> changes;
  int i = 0;
  int j = 0;
  for (const MatchingBlock& run : Matcher(a, b).runs()) {
    if (i < run.a || j < run.b) changes.push_back({i, run.a, j, run.b, false});
    i = run.a + run.size;
    j = run.b + run.size;
    if (run.size > 0) changes.push_back({run.a, i, run.b, j, true});
  }
  return changes;
}

std::string range_text(int begin, int end) {
  const int size = end - begin;
  if (size == 1) return std::to_string(begin + 1);
  return std::to_string(size == 0 ? begin : begin + 1) + "," + std::to_string(size);
}

void write_lines(const Lines& lines, int begin, int end, char mark, std::string& out) {
  for (int i = begin; i < end; ++i) {
    out.push_back(mark);
    out.append(lines[i]).push_back('\n');
  }
}

void write_group(const Lines& a, const Lines& b, const std::vector<Change>& group,
                 std::string& out) {
  const Change& first = group.front();
  const Change& last = group.back();
  out.append("@@ -").append(range_text(first.a_begin, last.a_end)).append(" +");
  out.append(range_text(first.b_begin, last.b_end)).append(" @@\n");
  for (const Change& change : group) {
    if (change.equal) {
      write_lines(a, change.a_begin, change.a_end, ' ', out);
      continue;
    }
    write_lines(a, change.a_begin, change.a_end, '-', out);
    write_lines(b, change.b_begin, change.b_end, '+', out);
  }
}

}  // namespace

std::string line_diff(std::string_view before, std::string_view after) {
  std::string out;
  if (before == after) return out;
  const Lines a = split(before, '\n');
  const Lines b = split(after, '\n');
  if (a.size() > kMostLines || b.size() > kMostLines) return out;
  std::vector<Change> changes = changes_between(a, b);
  if (Change& first = changes.front(); first.equal) {
    first.a_begin = std::max(first.a_begin, first.a_end - kContext);
    first.b_begin = std::max(first.b_begin, first.b_end - kContext);
  }
  if (Change& last = changes.back(); last.equal) {
    last.a_end = std::min(last.a_end, last.a_begin + kContext);
    last.b_end = std::min(last.b_end, last.b_begin + kContext);
  }
  std::vector<Change> group;
  for (Change change : changes) {
    if (change.equal && change.a_end - change.a_begin > 2 * kContext) {
      group.push_back({change.a_begin, change.a_begin + kContext, change.b_begin,
                       change.b_begin + kContext, true});
      write_group(a, b, group, out);
      group.clear();
      change.a_begin = change.a_end - kContext;
      change.b_begin = change.b_end - kContext;
    }
    group.push_back(change);
  }
  if (group.size() > 1 || (!group.empty() && !group[0].equal)) write_group(a, b, group, out);
  return out;
}

}  // namespace tabernetes::registry::kinds
