// Time zones by name: "Europe/Berlin", "US/Pacific", "UTC". The database is part of the core, so
// that every host gives the same answers; names and error messages are those of Go's
// time.LoadLocation with its embedded copy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tabernetes {

// Returns why there is no such zone, or an empty string if there is. "" and "Local" are UTC.
std::string time_zone_fault(std::string_view name);

// Returns the zone's offset east of UTC at a Unix time, in seconds, or nullopt if there is no such
// zone.
std::optional<std::int32_t> time_zone_offset(std::string_view name, std::int64_t time);

}  // namespace tabernetes
