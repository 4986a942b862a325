// Go's ways to print and parse values, as error messages use them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes {

// Like strconv.IsPrint, except for most unassigned code points: false for controls, format
// characters, spaces other than U+0020, surrogates, private use, noncharacters.
bool go_is_printable(char32_t rune);

// Quotes like strconv.Quote: "a\"b\n".
std::string go_quote(std::string_view text);

// Parse like strconv.ParseUint(text, 10, 64) and ParseInt, with Go's error messages:
//   strconv.ParseUint: parsing "abc": invalid syntax | value out of range
struct GoParsedUint {
  std::uint64_t value = 0;
  std::string error;  // empty if parsed
};
GoParsedUint go_parse_uint(std::string_view text);

struct GoParsedInt {
  std::int64_t value = 0;
  std::string error;
};
GoParsedInt go_parse_int(std::string_view text);

// Like strings.TrimSpace: removes Unicode white space at both ends.
std::string_view go_trim_space(std::string_view text);

// Returns several errors as one text, as Kubernetes' aggregates print: each text once, in brackets
// unless there is only one.
std::string go_aggregate(const std::vector<std::string>& errors);

}  // namespace tabernetes
