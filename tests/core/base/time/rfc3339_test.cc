#include "base/time/rfc3339.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <limits>

namespace tabernetes {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

TEST_CASE("rfc3339: times print with seconds and with microseconds", "[base]") {
  struct Case {
    std::int64_t nanoseconds;
    const char* seconds;
    const char* micro;
  };
  static constexpr Case kCases[] = {
      {0, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000Z"},
      {1784901930 * kSecond + 123456789, "2026-07-24T14:05:30Z", "2026-07-24T14:05:30.123456Z"},
      {951782400 * kSecond, "2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000000Z"},
      {-1, "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.999999Z"},
      {-86400 * kSecond, "1969-12-31T00:00:00Z", "1969-12-31T00:00:00.000000Z"},
  };
  for (const Case& c : kCases) {
    CHECK(format_rfc3339(Time{c.nanoseconds}) == c.seconds);
    CHECK(format_rfc3339_micro(Time{c.nanoseconds}) == c.micro);
  }
}

TEST_CASE("rfc3339: texts read as Go reads them", "[base]") {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  struct Case {
    const char* text;
    std::int64_t nanoseconds;
  };
  static constexpr Case kCases[] = {
      {"1970-01-01T00:00:00Z", 0},
      {"2026-07-24T14:05:30Z", 1784901930 * kSecond},
      {"2026-07-24T16:05:30+02:00", 1784901930 * kSecond},
      {"2026-07-24T09:35:30-04:30", 1784901930 * kSecond},
      {"2026-07-24T14:05:30.5Z", 1784901930 * kSecond + 500'000'000},
      {"2026-07-24T14:05:30,25Z", 1784901930 * kSecond + 250'000'000},
      {"2026-07-24T14:05:30.1234567899Z", 1784901930 * kSecond + 123'456'789},
      {"1969-12-31T23:59:59.999Z", -1'000'000},
      {"9999-12-31T23:59:59Z", kMax},
      {"0001-01-01T00:00:00Z", kMin},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.text) {
      const std::optional<Time> time = parse_rfc3339(c.text);
      REQUIRE(time);
      CHECK(time->unix_nanoseconds == c.nanoseconds);
    }
  }
}

TEST_CASE("rfc3339: what is no time is refused", "[base]") {
  static constexpr const char* kCases[] = {
      "",
      "now",
      "2026-07-24",
      "2026-07-24T14:05:30",
      "2026-07-24 14:05:30Z",
      "2026-07-24t14:05:30z",
      "2026-13-24T14:05:30Z",
      "2026-00-24T14:05:30Z",
      "2026-02-29T14:05:30Z",
      "2026-07-24T24:05:30Z",
      "2026-07-24T14:60:30Z",
      "2026-07-24T14:05:60Z",
      "2026-07-24T14:05:30.Z",
      "2026-07-24T14:05:30+0200",
      "2026-07-24T14:05:30+25:00",
      "2026-07-24T14:05:30Zx",
      "26-07-24T14:05:30Z",
  };
  for (const char* text : kCases) {
    DYNAMIC_SECTION(text) { CHECK_FALSE(parse_rfc3339(text)); }
  }
}

TEST_CASE("rfc3339: every day of eight centuries prints and reads back", "[base]") {
  for (std::int64_t day = -100'000; day <= 100'000; day += 7) {
    const Time time{day * 86'400 * kSecond};
    REQUIRE(parse_rfc3339(format_rfc3339(time)) == time);
  }
}

TEST_CASE("rfc3339: ages print as in tables", "[base]") {
  constexpr std::int64_t kMinute = 60, kHour = 3600, kDay = 86'400, kYear = 365 * kDay;
  struct Case {
    std::int64_t seconds;
    const char* text;
  };
  static constexpr Case kCases[] = {
      {-2, "<invalid>"},
      {-1, "0s"},
      {0, "0s"},
      {119, "119s"},
      {120, "2m"},
      {121, "2m1s"},
      {10 * kMinute - 1, "9m59s"},
      {10 * kMinute, "10m"},
      {3 * kHour - 1, "179m"},
      {3 * kHour, "3h"},
      {3 * kHour + kMinute, "3h1m"},
      {8 * kHour - 1, "7h59m"},
      {8 * kHour, "8h"},
      {2 * kDay - 1, "47h"},
      {2 * kDay, "2d"},
      {2 * kDay + kHour, "2d1h"},
      {8 * kDay - 1, "7d23h"},
      {8 * kDay, "8d"},
      {2 * kYear - 1, "729d"},
      {2 * kYear, "2y"},
      {2 * kYear + kDay, "2y1d"},
      {8 * kYear - 1, "7y364d"},
      {8 * kYear, "8y"},
      {100 * kYear, "100y"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.text << " of " << c.seconds) {
      CHECK(human_duration(Duration::from_seconds(c.seconds)) == c.text);
    }
  }
  CHECK(human_duration(Duration::from_milliseconds(-1999)) == "0s");
  CHECK(human_duration(Duration::from_milliseconds(1999)) == "1s");
}

TEST_CASE("time: sums and spans that are too long stay at the ends", "[base]") {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  CHECK(Duration::from_seconds(kMost).nanoseconds == kMost);
  CHECK(Duration::from_seconds(kLeast).nanoseconds == kLeast);
  CHECK(Duration::from_milliseconds(-kMost).nanoseconds == kLeast);
  CHECK((Time{kMost} + Duration{1}).unix_nanoseconds == kMost);
  CHECK((Time{kLeast} + Duration{-1}).unix_nanoseconds == kLeast);
  CHECK((Time{-2} - Time{kMost}).nanoseconds == kLeast);
  CHECK((Time{0} - Time{kLeast}).nanoseconds == kMost);
  CHECK((Time{kMost} - Time{kMost}).nanoseconds == 0);
}

}  // namespace
}  // namespace tabernetes
