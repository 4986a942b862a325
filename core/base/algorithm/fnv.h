// FNV-1a hashes of bytes that are added one after another, as Go's hash/fnv has them. Not for
// secrets.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace tabernetes {

class Fnv32a {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 16777619u;
  }
  std::uint32_t value() const { return hash_; }

 private:
  std::uint32_t hash_ = 2166136261u;
};

class Fnv64a {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) {
      hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 1099511628211u;
    }
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 14695981039346656037u;
};

class Fnv128a {
 public:
  // Ordered as its bytes in network order are.
  struct Value {
    std::uint64_t high = 0x6c62272e07bb0142, low = 0x62b821756295c58d;
    friend auto operator<=>(const Value&, const Value&) = default;
  };

  void add(std::string_view bytes) {
    for (const char byte : bytes) {
      hash_.low ^= static_cast<unsigned char>(byte);
      multiply();
    }
  }
  const Value& value() const { return hash_; }

 private:
  // By the prime 2^88 + 315.
  void multiply() {
    constexpr std::uint64_t kRest = 315, kHalf = 0xffffffff;
    const std::uint64_t first = (hash_.low & kHalf) * kRest;
    const std::uint64_t second = (hash_.low >> 32) * kRest + (first >> 32);
    hash_.high = hash_.high * kRest + (second >> 32) + (hash_.low << 24);
    hash_.low = second << 32 | (first & kHalf);
  }

  Value hash_;
};

}  // namespace tabernetes
