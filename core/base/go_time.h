// Times as Go's time.Parse reads them, with its error texts, whatever the year.
//
// metav1.Time reads RFC 3339 and prints whole seconds in UTC; metav1.MicroTime wants exactly six
// digits of fraction and prints them. Source: spec/rest.md 4.5; Go 1.24 time/format.go, parse.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes {

enum class TimeLayout { kSeconds, kMicroseconds };

struct GoTime {
  std::string error;  // `parsing time "x" as "…": cannot parse "x" as "2006"`; empty: read
  // As the API prints it: "2006-01-02T15:04:05Z" or "2006-01-02T15:04:05.000000Z". Empty for Go's
  // zero time, which is printed as null.
  std::string text;
};
GoTime normalise_go_time(std::string_view text, TimeLayout layout);

// Whether normalise_go_time would give `text` again: checked without allocating.
bool is_canonical_go_time(std::string_view text, TimeLayout layout);

}  // namespace tabernetes
