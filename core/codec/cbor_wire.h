// What the CBOR reader and writer share: the heads of data items (RFC 8949), and the tags that the
// API gives a meaning to. Tested by tests/core/codec/cbor_test.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tabernetes::codec::cbor {

enum class Major : std::uint8_t {
  kUnsigned,
  kNegative,
  kBytes,
  kText,
  kArray,
  kMap,
  kTag,
  kPrimitive
};

// The library's word for it, in error texts: "byte string".
std::string_view name_of(Major major);

// The head of an item. `info` is the low five bits; `value` the argument, a float's bits included.
struct Head {
  Major major = Major::kPrimitive;
  std::uint8_t info = 0;
  std::uint64_t value = 0;
  bool indefinite() const { return info == 31; }
};

inline constexpr std::uint8_t kFalse = 20, kTrue = 21, kNull = 22,
                              kUndefined = 23;  // of a primitive
inline constexpr std::uint8_t kHalf = 25, kSingle = 26, kDouble = 27;
inline constexpr char kBreak = '\xff';

inline constexpr std::uint64_t kTimeText = 0, kEpochTime = 1;
inline constexpr std::uint64_t kBase64Url = 21, kBase64 = 22, kHex = 23;  // of byte strings, later
inline constexpr std::uint64_t kSelfDescribed = 55799;
inline constexpr std::string_view kSelfDescribedHead("\xd9\xd9\xf7", 3);

inline Major major_of(char head) {
  return static_cast<Major>(static_cast<unsigned char>(head) >> 5);
}
inline std::uint8_t info_of(char head) { return static_cast<std::uint8_t>(head & 31); }

// How many bytes of argument follow a head with this info.
inline std::size_t argument_size(std::uint8_t info) {
  return info >= 24 && info <= 27 ? std::size_t{1} << (info - 24) : 0;
}

// The bytes of `text` as a big-endian number; of no bytes `info` itself is the argument.
inline std::uint64_t argument(std::string_view bytes, std::uint8_t info) {
  if (bytes.empty()) return info;
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

// The number that a float of 16, 32 or 64 bits stands for.
double float_of(std::uint8_t info, std::uint64_t bits);

}  // namespace tabernetes::codec::cbor
