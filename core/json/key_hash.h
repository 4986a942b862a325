// A hash of short texts, for the index of large objects and the Bloom filter of labels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tabernetes::json {

// Mixes eight bytes at a time, depending on `seed`, so that keys chosen to collide under one seed
// do not collide under the next.
inline std::uint32_t hash_key(std::string_view key, std::uint32_t seed) {
  constexpr std::uint64_t kOne = 0x9E3779B97F4A7C15u, kTwo = 0xD6E8FEB86659FD93u;
  std::uint64_t hash = (key.size() + 1) * kOne ^ (seed + 1) * kTwo;
  const char* next = key.data();
  for (std::size_t left = key.size(); left > 0;) {
    std::uint64_t word = 0;
    const std::size_t taken = std::min<std::size_t>(left, 8);
    std::memcpy(&word, next, taken);
    hash = (hash ^ word) * kOne;
    hash = (hash ^ hash >> 32) * kTwo;
    hash ^= hash >> 29;
    next += taken;
    left -= taken;
  }
  return static_cast<std::uint32_t>(hash >> 32 ^ hash);
}

}  // namespace tabernetes::json
