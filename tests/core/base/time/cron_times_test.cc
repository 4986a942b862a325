#include "base/time/cron_times.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "base/time/rfc3339.h"

namespace tabernetes {
namespace {

TEST_CASE("cron times: what comes next", "[base]") {
  struct Case {
    std::string_view schedule, zone, after, next;
  };
  // As github.com/robfig/cron v3.0.1 answers.
  const Case cases[] = {
      {"* * * * *", "UTC", "2026-11-23T05:02:57Z", "2026-11-23T05:03:00Z"},
      {"* * * * *", "UTC", "2026-11-23T05:03:00Z", "2026-11-23T05:04:00Z"},
      {"*/15 * * * *", "UTC", "2026-11-23T05:46:00Z", "2026-11-23T06:00:00Z"},
      {"30 4 * * *", "UTC", "2026-11-23T05:00:00Z", "2026-11-24T04:30:00Z"},
      {"0 0 31 * *", "UTC", "2026-11-01T00:00:00Z", "2026-12-31T00:00:00Z"},
      {"0 0 29 2 *", "UTC", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"},
      {"0 0 30 2 *", "UTC", "2026-01-01T00:00:00Z", ""},
      // Of a day of the month and a weekday, one is enough.
      {"0 0 13 * 5", "UTC", "2026-11-14T00:00:00Z", "2026-11-20T00:00:00Z"},
      {"0 0 * * 1-5", "UTC", "2026-11-21T12:00:00Z", "2026-11-23T00:00:00Z"},
      {"0 9 * * *", "Europe/Berlin", "2026-07-01T00:00:00Z", "2026-07-01T07:00:00Z"},
      {"0 9 * * *", "America/New_York", "2026-11-23T00:00:00Z", "2026-11-23T14:00:00Z"},
      // The hour that is skipped in spring, and the one that comes twice in autumn.
      {"30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-30T00:30:00Z"},
      {"30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"},
      {"30 2 * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"},
      {"@every 90s", "UTC", "2026-11-23T05:00:00Z", "2026-11-23T05:01:30Z"},
      {"@daily", "UTC", "2026-11-23T05:00:00Z", "2026-11-24T00:00:00Z"},
      {"@yearly", "Asia/Tokyo", "2026-11-23T05:00:00Z", "2026-12-31T15:00:00Z"},
  };
  for (const Case& c : cases) {
    INFO(c.schedule << " in " << c.zone << " after " << c.after);
    std::string error;
    const auto schedule = CronSchedule::parse(c.schedule, error);
    REQUIRE(schedule);
    const auto next = next_cron_time(*schedule, c.zone, *parse_rfc3339(c.after));
    CHECK((next ? format_rfc3339(*next) : "") == c.next);
  }
}

}  // namespace
}  // namespace tabernetes
