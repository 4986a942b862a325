// Formatting and parsing of RFC 3339 times as the API uses them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tabernetes/time.h"

namespace tabernetes {

// Formats as "2026-07-24T14:05:30Z"; fractions are dropped.
std::string format_rfc3339(Time time);

// Formats as "2026-07-24T14:05:30.123456Z", always with six digits, like MicroTime.
std::string format_rfc3339_micro(Time time);

// Parses any RFC 3339 time with offset and fraction; returns nullopt if malformed. Times outside
// the range of Time (before 1677, after 2262) are clamped.
std::optional<Time> parse_rfc3339(std::string_view text);

// A time in any year that RFC 3339 can express.
struct UnixTime {
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;  // within the second
};
std::optional<UnixTime> parse_rfc3339_unix(std::string_view text);
// Formats with six fraction digits or without a fraction. Years of more than four digits are
// written in full.
enum class Fraction { kNone, kMicroseconds };
std::string format_unix(UnixTime time, Fraction fraction);

// Returns the age as table cells show it: "5s", "3m20s", "2d4h" (apimachinery's
// duration.HumanDuration).
std::string human_duration(Duration age);

}  // namespace tabernetes
