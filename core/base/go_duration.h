// Spans of time as Go writes them: "1h30m", "90s", "1.5s", "-2ms".
#pragma once

#include <string>
#include <string_view>

#include "tabernetes/time.h"

namespace tabernetes {

struct GoDuration {
  Duration value;
  std::string error;  // empty: parsed; else time.ParseDuration's text
};

// time.ParseDuration.
GoDuration go_parse_duration(std::string_view text);

}  // namespace tabernetes
