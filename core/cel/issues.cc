#include "cel/issues.h"

#include <algorithm>

#include "base/algorithm/sort.h"
#include "base/text/utf8.h"

namespace tabernetes::cel {

constexpr std::size_t kMostReported = 100;
constexpr std::size_t kLongestLine = 16384;

std::string Issues::to_string() {
  sort_stable(issues_, [](const Issue& a, const Issue& b) { return a.offset + 1 < b.offset + 1; });
  std::string out;
  for (std::size_t i = 0; i < std::min(issues_.size(), kMostReported); ++i) {
    if (i > 0) out += "\n";
    print(issues_[i], out);
  }
  if (issues_.size() > kMostReported) {
    out += "\n" + std::to_string(issues_.size() - kMostReported) + " more errors were truncated";
  }
  return out;
}

void Issues::print(const Issue& issue, std::string& out) const {
  out += "ERROR: <input>:";
  if (issue.offset == kNowhere) {
    out += "-1:0: " + issue.message;
    return;
  }
  const std::string_view before = source_.substr(0, issue.offset);
  const std::size_t line =
      1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t begin = before.rfind('\n') + 1;  // npos + 1: 0
  const std::size_t end = std::min(source_.find('\n', begin), source_.size());
  std::string mark;
  std::size_t column = 1;
  for (std::size_t at = begin; at < issue.offset; ++column) {
    const Rune rune = decode_rune(source_.substr(at));
    mark += rune.size > 1 ? "\uff0e" : ".";
    at += rune.size;
  }
  const bool wide = issue.offset < end && decode_rune(source_.substr(issue.offset)).size > 1;
  out += std::to_string(line) + ":" + std::to_string(column) + ": " + issue.message;
  std::string text(source_.substr(begin, end - begin));
  if (text.size() > kLongestLine) return;
  std::replace(text.begin(), text.end(), '\t', ' ');
  out += "\n | " + text + "\n | " + mark + (wide ? "\uff3e" : "^");
}

}  // namespace tabernetes::cel
