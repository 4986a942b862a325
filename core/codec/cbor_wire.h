// Heads of CBOR data items (RFC 8949), decoded and encoded by libcbor, and the tags with a meaning
// in the API; shared by the CBOR reader and writer. Tested by tests/core/codec/cbor_test.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
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

// Returns fxamacker/cbor's name for it in error messages: "byte string".
std::string_view name_of(Major major);

// The head of an item, and the bytes of a string of definite length.
struct Head {
  Major major = Major::kPrimitive;
  std::uint8_t info = 0;  // the low five bits
  union {
    std::uint64_t value = 0;  // the argument
    double real;              // for a float, instead of the argument
  };
  const char* bytes = nullptr;  // for a string; the argument is its length

  bool indefinite() const { return info == 31; }
  std::string_view text() const { return {bytes, static_cast<std::size_t>(value)}; }
};

enum class HeadFault : std::uint8_t {
  kNone,
  kCutOff,    // the bytes end within the head, or before the last byte of a string
  kReserved,  // additional information not assigned to any item
};

// Removes a head, with a string's bytes, from the front of `rest`. After a fault `rest` is
// unchanged; after kCutOff `head` has the length of a string. REQUIRES: `rest` is not empty.
HeadFault take_head(std::string_view& rest, Head& head);

// Appends the head of an item that is not a primitive.
void write_head(Major major, std::uint64_t value, std::string& out);
void write_boolean(bool value, std::string& out);
void write_null(std::string& out);
// Encodes in the fewest of 2, 4 and 8 bytes that are exact. REQUIRES: it is finite.
void write_float(double value, std::string& out);

inline constexpr std::uint8_t kFalse = 20, kTrue = 21, kNull = 22,
                              kUndefined = 23;  // primitives
inline constexpr std::uint8_t kHalf = 25, kSingle = 26, kDouble = 27;
inline constexpr char kBreak = '\xff';
inline constexpr Head kBreakHead{Major::kPrimitive, 31, {0}, nullptr};

inline constexpr std::uint64_t kTimeText = 0, kEpochTime = 1;
// Expected later encoding of byte strings.
inline constexpr std::uint64_t kBase64Url = 21, kBase64 = 22, kHex = 23;
inline constexpr std::uint64_t kSelfDescribed = 55799;
inline constexpr std::string_view kSelfDescribedHead("\xd9\xd9\xf7", 3);

inline Major major_of(char head) {
  return static_cast<Major>(static_cast<unsigned char>(head) >> 5);
}
inline std::uint8_t info_of(char head) { return static_cast<std::uint8_t>(head & 31); }

}  // namespace tabernetes::codec::cbor
