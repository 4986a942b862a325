// Bytes to and from hexadecimal digits, as in the vectors.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes::codec {

inline std::string from_hex(std::string_view hex) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(kDigits.find(hex[i]) << 4 | kDigits.find(hex[i + 1]));
  }
  return bytes;
}

inline std::string to_hex(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    hex += kDigits[static_cast<unsigned char>(c) >> 4];
    hex += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

}  // namespace tabernetes::codec
