// The tables that tools/time_zones/pack.mjs generates from the IANA time zone database.
//
//   names    for each zone its names and a newline, a space before each name
//   steps    for each zone its size in bytes, then a ZONE, in the order of the names
//   ZONE     = rule offset {days time change}    rule: 0 for none, otherwise its index + 1
//   days     days since the previous step, or since kTimeZoneFirstDay
//   time     SPAN since midnight of that day, in local time before the step
//   offset   SPAN + a day, seconds east of UTC; change likewise
//   SPAN     NUMBER: quarters of an hour * 2, or seconds * 2 + 1
//   NUMBER   below 224 the byte itself; below 255 (byte - 224) * 256 + the next byte; 255: the next
//            three bytes, big-endian
//
// A rule begins with the last step, whose offset is that of winter.
#pragma once

#include <cstdint>

namespace tabernetes {

inline constexpr std::int64_t kTimeZoneFirstDay = -50'000;  // relative to 1970

// A yearly moment: the first `weekday` (Sunday is 0) at least `day` days after the first of March
// (so that leap days end a year), at `seconds` UTC.
struct TimeZoneDate {
  std::int16_t day;
  std::int8_t weekday;
  std::int32_t seconds;
};

// Between `first` and `second`, `change` is added to the offset.
struct TimeZoneRule {
  TimeZoneDate first, second;
  std::int32_t change;
};

extern const char kTimeZoneNames[];
extern const unsigned char kTimeZoneSteps[];
extern const TimeZoneRule kTimeZoneRules[];

}  // namespace tabernetes
