#include "base/text/wildcard.h"

namespace tabernetes {

bool matches_wildcard(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return true;
  // The last `*` and the text that it has not taken yet: where to go on after a mismatch.
  std::size_t p = 0, t = 0, star = std::string_view::npos, kept = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      kept = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++kept;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace tabernetes
