// Classes and cases of ASCII characters, whatever the locale is.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace tabernetes {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_octal(char c) { return c >= '0' && c <= '7'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_letter(char c) { return is_lower(c) || is_upper(c); }
constexpr bool is_lower_or_digit(char c) { return is_lower(c) || is_digit(c); }
constexpr bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }
// A letter, a digit or an underscore: \w of Go's regular expressions.
constexpr bool is_word_character(char c) { return is_letter_or_digit(c) || c == '_'; }

// A character that JSON takes for white space.
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
// What Go's strings.TrimSpace takes off, of ASCII.
inline constexpr std::string_view kGoSpaces = " \t\n\v\f\r";

// What may stand around the parts of an HTTP header.
inline constexpr std::string_view kBlanks = " \t";

// Returns true if the text is one or more digits.
constexpr bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// Returns the value of a hexadecimal digit; -1 for other characters.
constexpr int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}
constexpr bool is_hex(char c) { return hex_value(c) >= 0; }

inline constexpr char kHexDigits[] = "0123456789abcdef";
inline constexpr char kUpperHexDigits[] = "0123456789ABCDEF";

// Returns bytes as pairs of hexadecimal digits.
inline std::string hex_text(std::string_view bytes, const char* digits = kHexDigits) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    text += digits[static_cast<unsigned char>(c) >> 4];
    text += digits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

constexpr char ascii_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char ascii_upper(char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

inline std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = ascii_lower(c);
  return lower;
}

inline bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return ascii_lower(x) == ascii_lower(y); });
}

}  // namespace tabernetes
