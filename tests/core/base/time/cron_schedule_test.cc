#include "base/time/cron_schedule.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace tabernetes {
namespace {

// Returns the bits from `first` to `last`.
std::uint64_t span(unsigned first, unsigned last) {
  std::uint64_t bits = 0;
  for (unsigned i = first; i <= last; ++i) bits |= std::uint64_t{1} << i;
  return bits;
}

TEST_CASE("cron schedules: the times that they name", "[base]") {
  struct Case {
    std::string_view text;
    std::uint64_t minutes, hours, days, months, weekdays;
    bool any_day, any_weekday;
  };
  const std::uint64_t every_minute = span(0, 59), every_hour = span(0, 23);
  const std::uint64_t every_day = span(1, 31), every_month = span(1, 12);
  const std::uint64_t every_weekday = span(0, 6);
  const Case cases[] = {
      {"* * * * *", every_minute, every_hour, every_day, every_month, every_weekday, true, true},
      {"5 4 * * ?", 1u << 5, 1u << 4, every_day, every_month, every_weekday, true, true},
      {"*/20 1-3 1,15 jan Mon-fri", 1 | 1u << 20 | std::uint64_t{1} << 40, span(1, 3),
       1u << 1 | 1u << 15, 1u << 1, span(1, 5), false, false},
      {"50/5 0 */2 12 SUN", std::uint64_t{1} << 50 | std::uint64_t{1} << 55, 1, 0xAAAAAAAAu,
       1u << 12, 1, false, false},
      {"@daily", 1, 1, every_day, every_month, every_weekday, true, true},
      {"@yearly", 1, 1, 2, 2, every_weekday, false, true},
      {"TZ=UTC 0 0 * * *", 1, 1, every_day, every_month, every_weekday, true, true},
  };
  for (const Case& c : cases) {
    DYNAMIC_SECTION(c.text) {
      std::string error;
      const auto schedule = CronSchedule::parse(c.text, error);
      REQUIRE(schedule);
      CHECK(error.empty());
      CHECK(schedule->minutes == c.minutes);
      CHECK(schedule->hours == c.hours);
      CHECK(schedule->days == c.days);
      CHECK(schedule->months == c.months);
      CHECK(schedule->weekdays == c.weekdays);
      CHECK(schedule->any_day == c.any_day);
      CHECK(schedule->any_weekday == c.any_weekday);
    }
  }
  std::string error;
  CHECK(CronSchedule::parse("@every 1h30m", error)->every_seconds == 5400);
  CHECK(CronSchedule::parse("@every 1ms", error)->every_seconds == 1);
}

// The messages are those of github.com/robfig/cron v3.0.1.
TEST_CASE("cron schedules: what is wrong with a text", "[base]") {
  struct Case {
    std::string_view text, error;
  };
  static constexpr Case kCases[] = {
      {"", "empty spec string"},
      {"every day", "expected exactly 5 fields, found 2: [every day]"},
      {"a * * * *", "failed to parse int from a: strconv.Atoi: parsing \"a\": invalid syntax"},
      {"60 * * * *", "end of range (60) above maximum (59): 60"},
      {"* * 0 * *", "beginning of range (0) below minimum (1): 0"},
      {"5-3 * * * *", "beginning of range (5) beyond end of range (3): 5-3"},
      {"1-2-3 * * * *", "too many hyphens: 1-2-3"},
      {"1/2/3 * * * *", "too many slashes: 1/2/3"},
      {"*/0 * * * *", "step of range should be a positive number: */0"},
      {"* * * foo *",
       "failed to parse int from foo: strconv.Atoi: parsing \"foo\": invalid syntax"},
      {"99999999999999999999 * * * *",
       "failed to parse int from 99999999999999999999: strconv.Atoi: parsing "
       "\"99999999999999999999\": value out of range"},
      {"@never", "unrecognized descriptor: @never"},
      {"@every x", "failed to parse duration @every x: time: invalid duration \"x\""},
      {"TZ=0", "invalid schedule format: runtime error: slice bounds out of range [:-1]"},
      {"TZ=Mars 0 0 * * *", "provided bad location Mars: unknown time zone Mars"},
      {"CRON_TZ=Europe/Atlantis 0 0 * * *",
       "provided bad location Europe/Atlantis: unknown time zone Europe/Atlantis"},
      {"TZ=../UTC 0 0 * * *", "provided bad location ../UTC: time: invalid location name"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.text) {
      std::string error;
      CHECK_FALSE(CronSchedule::parse(c.text, error));
      CHECK(error == c.error);
    }
  }
}

}  // namespace
}  // namespace tabernetes
