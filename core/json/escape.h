// Escapes of characters in JSON strings, as in Go's encoding/json.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/text/ascii.h"

namespace tabernetes::json {

struct Escape {
  char text[6] = {'\\'};
  std::size_t size = 0;

  std::string_view view() const { return {text, size}; }
};

// Returns the short form where JSON has one ("\n"), \u00XX otherwise. REQUIRES: `c` is ASCII.
inline Escape escape_of(char c) {
  static constexpr std::string_view kPlain = "\"\\\b\f\n\r\t", kShort = "\"\\bfnrt";
  Escape escape;
  if (const std::size_t i = kPlain.find(c); i != std::string_view::npos) {
    escape.text[1] = kShort[i];
    escape.size = 2;
    return escape;
  }
  const char wide[] = {
      '\\', 'u', '0', '0', kHexDigits[static_cast<unsigned char>(c) >> 4], kHexDigits[c & 15]};
  for (std::size_t i = 0; i < sizeof wide; ++i) escape.text[i] = wide[i];
  escape.size = sizeof wide;
  return escape;
}

}  // namespace tabernetes::json
