// The tables that tools/time_zones/pack.mjs makes of the IANA time zone database.
//
//   names    for each zone its names and a newline, a space before each name
//   steps    for each zone its size, and as many bytes: ZONE, in the order of the names
//   ZONE     = rule offset {days time change}    0 for no rule, else its number + 1
//   days     how many after those of the step before, or after kTimeZoneFirstDay
//   time     SPAN since midnight, as clocks show it before the step; days are theirs, too
//   offset   SPAN + a day, as is a change of it: seconds east of UTC
//   SPAN     NUMBER: quarters of an hour * 2, else seconds * 2 + 1
//   NUMBER   below 224 the byte itself, below 255 (byte - 224) * 256 + the next; 255: the next
//   three, high ones first
//
// A rule begins with the last step, whose offset is the one of winters.
#pragma once

#include <cstdint>

namespace tabernetes {

inline constexpr std::int64_t kTimeZoneFirstDay = -50'000;  // of 1970

// A moment of every year: the first `weekday` (Sunday is 0) that is `day` days or more after the
// first of March, so that leap days are at the end of a year; seconds of UTC.
struct TimeZoneDate {
  std::int16_t day;
  std::int8_t weekday;
  std::int32_t seconds;
};

// Between `first` and `second` the offset is `change` more.
struct TimeZoneRule {
  TimeZoneDate first, second;
  std::int32_t change;
};

extern const char kTimeZoneNames[];
extern const unsigned char kTimeZoneSteps[];
extern const TimeZoneRule kTimeZoneRules[];

}  // namespace tabernetes
