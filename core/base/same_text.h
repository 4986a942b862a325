// Comparing names, of which most that are asked for are not the one at hand.
#pragma once

#include <cstring>
#include <string_view>

namespace tabernetes {

// a == b, at once where they are the same bytes in memory, as the names of a kind's fields often
// are, or end differently.
inline bool same_text(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  if (a.data() == b.data() || a.empty()) return true;
  return a.back() == b.back() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace tabernetes
