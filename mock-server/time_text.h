// Times in the formats of the command line and HTTP.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "tabernetes/time.h"

namespace tabernetes::host {

// Parses RFC 3339, such as "2026-01-01T00:00:00Z" or "2026-01-01T01:00:00.5+01:00".
std::optional<Time> parse_rfc3339(std::string_view text);

// Returns the value of an HTTP Date header, such as "Thu, 01 Jan 2026 00:00:00 GMT".
std::string http_date(Time time);

// Returns a duration as Go prints it: "1m30s", "1.5ms", "250ns". REQUIRES: not negative.
std::string go_duration(std::chrono::nanoseconds span);

}  // namespace tabernetes::host
