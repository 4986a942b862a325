// Basics shared by the protobuf reader and writer: varints, wire types, the magic of an envelope.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tabernetes::codec {

enum class WireType : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

inline constexpr std::string_view kProtobufMagic("k8s\0", 4);
inline constexpr std::size_t kLongestVarint = 10;

// Writes at most kLongestVarint bytes; returns their number.
inline std::size_t encode_varint(std::uint64_t value, char* out) {
  std::size_t size = 0;
  for (; value >= 128; value >>= 7) out[size++] = static_cast<char>((value & 127) | 128);
  out[size++] = static_cast<char>(value);
  return size;
}

}  // namespace tabernetes::codec
