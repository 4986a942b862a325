// Schedules of cron jobs: `30 4 * * 1-5`, `@daily`, `@every 1h30m`, as github.com/robfig/cron reads
// them.
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
  // Bit n of a field: it is due when that part of the time is n.
  std::uint64_t minutes = 0, hours = 0, days = 0, months = 0, weekdays = 0;
  // A day that is not restricted leaves the choice to the other one; both restricted, one is
  // enough.
  bool any_day = false, any_weekday = false;
  std::int64_t every_seconds = 0;  // of @every; the fields are then 0

  // Nothing if it is none, with the error's text in `error`.
  static std::optional<CronSchedule> parse(std::string_view text, std::string& error);
};

}  // namespace tabernetes
