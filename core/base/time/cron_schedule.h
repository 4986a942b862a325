// Schedules of cron jobs (`30 4 * * 1-5`, `@daily`, `@every 1h30m`), parsed as by
// github.com/robfig/cron.
//
//   schedule = minute hour day-of-month month day-of-week | descriptor
//   field    = range *( "," range )
//   range    = ( "*" | "?" | n [ "-" n ] ) [ "/" step ]        n: a number, or the name of a month
//   or day
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tabernetes {

struct CronSchedule {
  // Bit n is set if the schedule matches a time whose field equals n.
  std::uint64_t minutes = 0, hours = 0, days = 0, months = 0, weekdays = 0;
  // Standard cron rule for days: if one of the two is unrestricted, the other decides; if both are
  // restricted, a match of either is enough.
  bool any_day = false, any_weekday = false;
  std::int64_t every_seconds = 0;  // for @every; the bit fields are then 0

  // Returns nullopt if `text` is not a schedule, with the message in `error`.
  static std::optional<CronSchedule> parse(std::string_view text, std::string& error);
};

}  // namespace tabernetes
