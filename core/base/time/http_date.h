// Dates in HTTP headers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tabernetes/time.h"

namespace tabernetes {

// Formats as "Mon, 02 Jan 2006 15:04:05 ZONE", in UTC whatever the zone's name. Times before 1970
// are clamped to 1970.
std::string format_http_date(Time time, std::string_view zone = "GMT");

// Parses that form, with zone GMT; returns nullopt otherwise. The two forms that RFC 9110 calls
// obsolete are not accepted.
std::optional<Time> parse_http_date(std::string_view text);

}  // namespace tabernetes
