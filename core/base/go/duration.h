// Durations in Go's syntax: "1h30m", "90s", "1.5s", "-2ms".
#pragma once

#include <string>
#include <string_view>

#include "tabernetes/time.h"

namespace tabernetes {

struct GoDuration {
  Duration value;
  std::string error;  // empty if parsed; otherwise time.ParseDuration's message
};

// Parses like time.ParseDuration.
GoDuration go_parse_duration(std::string_view text);

// Formats like time.Duration.String: "1m0s", "1.5s", "300ms".
std::string go_duration_text(Duration span);

}  // namespace tabernetes
