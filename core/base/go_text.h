// Go's ways to print values, which error messages are full of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tabernetes {

// strconv.IsPrint, except for most unassigned code points: no controls, format characters, spaces
// other than U+0020, surrogates, private use, noncharacters.
bool go_is_printable(char32_t rune);

// strconv.Quote: "a\"b\n".
std::string go_quote(std::string_view text);

// strconv.ParseUint(text, 10, 64) / ParseInt, with Go's error texts:
//   strconv.ParseUint: parsing "abc": invalid syntax | value out of range
struct GoParsedUint {
  std::uint64_t value = 0;
  std::string error;  // empty: parsed
};
GoParsedUint go_parse_uint(std::string_view text);

struct GoParsedInt {
  std::int64_t value = 0;
  std::string error;
};
GoParsedInt go_parse_int(std::string_view text);

// strings.TrimSpace: without Unicode's white space at both ends.
std::string_view go_trim_space(std::string_view text);

// The `%v` of a float64 and the shortest text that encoding/json writes: 1e+21, 1e-7, 1.5, 100.
std::string go_json_float(double value);

}  // namespace tabernetes
