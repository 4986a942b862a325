// The names of time zones.
#pragma once

#include <string_view>

namespace tabernetes {

// Whether it may be one: "UTC", "CET", "Europe/Berlin". Of the areas and of the names without one
// all are known, of the cities none, so "Europe/Atlantis" passes too.
bool is_time_zone(std::string_view name);

}  // namespace tabernetes
