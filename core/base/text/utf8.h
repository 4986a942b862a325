// UTF-8, one code point at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tabernetes {

struct Rune {
  char32_t value = 0xfffd;  // U+FFFD if invalid
  std::size_t size = 1;     // its bytes; 1 if invalid
  bool valid = false;
};

// Decodes the first code point of `text` like Go's utf8.DecodeRune: rejects overlong forms and
// surrogates. REQUIRES: !text.empty().
Rune decode_rune(std::string_view text);

bool is_valid_utf8(std::string_view text);

// Appends the code point in UTF-8. REQUIRES: rune <= 0x10ffff.
void append_rune(char32_t rune, std::string& text);

// Returns the number of code points, like Go's utf8.RuneCountInString.
std::size_t count_runes(std::string_view text);

}  // namespace tabernetes
