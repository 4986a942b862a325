// UTF-8, one code point at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tabernetes {

struct Rune {
  char32_t value = 0xfffd;  // U+FFFD when not valid
  std::size_t size = 1;     // bytes it takes; 1 when not valid
  bool valid = false;
};

// The first code point of `text`, as Go's utf8.DecodeRune: no overlong forms, no surrogates.
// REQUIRES: !text.empty().
Rune decode_rune(std::string_view text);

bool is_valid_utf8(std::string_view text);

// Adds the code point in UTF-8. REQUIRES: rune <= 0x10ffff.
void append_rune(char32_t rune, std::string& text);

// How many code points `text` is, as Go's utf8.RuneCountInString.
std::size_t count_runes(std::string_view text);

}  // namespace tabernetes
