// Parses times like Go's time.Parse, with its error messages, for any year.
//
// metav1.Time accepts RFC 3339 and prints whole seconds in UTC; metav1.MicroTime requires exactly
// six fraction digits and prints them. Source: spec/rest.md 4.5; Go 1.24 time/format.go, parse.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes {

enum class TimeLayout { kSeconds, kMicroseconds };

struct GoTime {
  std::string error;  // `parsing time "x" as "...": cannot parse "x" as "2006"`; empty if parsed
  // As the API prints it: "2006-01-02T15:04:05Z" or "2006-01-02T15:04:05.000000Z". Empty for Go's
  // zero time, which the API prints as null.
  std::string text;
};
GoTime normalise_go_time(std::string_view text, TimeLayout layout);

// Returns whether normalise_go_time() would return `text` unchanged; does not allocate.
bool is_canonical_go_time(std::string_view text, TimeLayout layout);

}  // namespace tabernetes
