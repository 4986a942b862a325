// Time zones by their names: "Europe/Berlin", "US/Pacific", "UTC". The database is part of the
// core, so that every host gives the same answers; names and words are those of Go's
// time.LoadLocation with its own copy of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tabernetes {

// Why there is no such zone; empty if there is one. "" and "Local" are UTC.
std::string time_zone_fault(std::string_view name);

// What clocks in that zone are ahead of UTC at a Unix time, in seconds; nothing if there is no such
// zone.
std::optional<std::int32_t> time_zone_offset(std::string_view name, std::int64_t time);

}  // namespace tabernetes
