// RFC 3339 times as the API writes and reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tabernetes/time.h"

namespace tabernetes {

// "2026-07-24T14:05:30Z"; fractions are cut off.
std::string format_rfc3339(Time time);

// "2026-07-24T14:05:30.123456Z": always six digits, as MicroTime is written.
std::string format_rfc3339_micro(Time time);

// Reads any RFC 3339 time with offset and fraction; nothing if it is none. Times that a Time cannot
// hold (before 1677, after 2262) become the nearest one that it can.
std::optional<Time> parse_rfc3339(std::string_view text);

// A time of any year that RFC 3339 can write.
struct UnixTime {
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;  // below a second
};
std::optional<UnixTime> parse_rfc3339_unix(std::string_view text);
// With six digits of fraction, or none. Years beyond four digits are written as they are.
enum class Fraction { kNone, kMicroseconds };
std::string format_unix(UnixTime time, Fraction fraction);

// The age of a table cell: "5s", "3m20s", "2d4h" (apimachinery's duration.HumanDuration).
std::string human_duration(Duration age);

}  // namespace tabernetes
