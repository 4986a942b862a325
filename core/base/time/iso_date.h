// Days as 2026-01-31, in UTC.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time/rfc3339.h"
#include "tabernetes/time.h"

namespace tabernetes {

inline constexpr Duration kDay = Duration::from_seconds(24 * 60 * 60);

inline std::string format_date(Time time) { return format_rfc3339(time).substr(0, 10); }

// Returns the beginning of the day.
inline std::optional<Time> parse_date(std::string_view text) {
  if (text.size() != 10) return std::nullopt;
  return parse_rfc3339(std::string(text) + "T00:00:00Z");
}

}  // namespace tabernetes
