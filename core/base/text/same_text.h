// Fast comparison of short names that are usually different.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace tabernetes {

// Returns a == b, at once if both are the same bytes in memory, as field names of a kind often are.
// Compares eight bytes at a time, the last eight overlapping: for short names this beats memcmp(),
// which WebAssembly implements byte by byte.
inline bool same_text(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  if (a.data() == b.data()) return true;
  const auto same = [&](std::size_t at, auto word) {
    auto other = word;
    std::memcpy(&word, a.data() + at, sizeof word);
    std::memcpy(&other, b.data() + at, sizeof other);
    return word == other;
  };
  const std::size_t size = a.size();
  if (size >= 8) {
    for (std::size_t at = 0; at < size - 8; at += 8) {
      if (!same(at, std::uint64_t())) return false;
    }
    return same(size - 8, std::uint64_t());
  }
  if (size >= 4) return same(0, std::uint32_t()) && same(size - 4, std::uint32_t());
  for (std::size_t at = 0; at < size; ++at) {
    if (a[at] != b[at]) return false;
  }
  return true;
}

}  // namespace tabernetes
