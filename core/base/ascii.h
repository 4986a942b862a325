// Character classes and case conversion for ASCII, independent of the locale.
#pragma once

#include <algorithm>
#include <string_view>

namespace tabernetes {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Returns true for a letter, a digit or an underscore: \w of Go's regular expressions.
inline bool is_word_character(char c) {
  return is_digit(c) || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z') || c == '_';
}

inline bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return ascii_lower(x) == ascii_lower(y); });
}

}  // namespace tabernetes
