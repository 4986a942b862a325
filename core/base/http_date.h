// Dates of HTTP headers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tabernetes/time.h"

namespace tabernetes {

// "Mon, 02 Jan 2006 15:04:05 ZONE"; the time is UTC whatever the zone's name. Times before 1970
// are written as that.
std::string format_http_date(Time time, std::string_view zone = "GMT");

// Reads that form, with GMT; nothing if it is none. The two forms that RFC 9110 calls obsolete are
// not read.
std::optional<Time> parse_http_date(std::string_view text);

}  // namespace tabernetes
