#include "time_text.h"

#include <catch2/catch_test_macros.hpp>
#include <optional>

using namespace tabernetes;
using namespace tabernetes::host;

TEST_CASE("time: RFC 3339 is read", "[host]") {
  struct Case {
    const char* in;
    std::optional<std::int64_t> nanoseconds;
  };
  static constexpr std::int64_t k2026 = 1'767'225'600'000'000'000;
  static constexpr Case kCases[] = {
      {"2026-01-01T00:00:00Z", k2026},
      {"2026-01-01T00:00:00.5Z", k2026 + 500'000'000},
      {"2026-01-01T00:00:00.123456789Z", k2026 + 123'456'789},
      {"2026-01-01T01:30:00+01:30", k2026},
      {"2025-12-31T23:00:00-01:00", k2026},
      {"1970-01-01T00:00:00Z", 0},
      {"2026-02-29T00:00:00Z", std::nullopt},
      {"2026-01-01T24:00:00Z", std::nullopt},
      {"2026-01-01 00:00:00Z", std::nullopt},
      {"2026-01-01T00:00:00", std::nullopt},
      {"2026-01-01T00:00:00.Z", std::nullopt},
      {"2026-01-01T00:00:00Zx", std::nullopt},
      {"9999-01-01T00:00:00Z", std::nullopt},
      {"now", std::nullopt},
      {"", std::nullopt},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION("'" << c.in << "'") {
      const auto time = parse_rfc3339(c.in);
      REQUIRE(time.has_value() == c.nanoseconds.has_value());
      if (time) CHECK(time->unix_nanoseconds == *c.nanoseconds);
    }
  }
}

TEST_CASE("time: an HTTP date is written", "[host]") {
  CHECK(http_date(Time{0}) == "Thu, 01 Jan 1970 00:00:00 GMT");
  CHECK(http_date(*parse_rfc3339("2026-11-20T13:05:09Z")) == "Fri, 20 Nov 2026 13:05:09 GMT");
}

TEST_CASE("time text: spans as Go prints them", "[host]") {
  struct Case {
    std::int64_t nanoseconds;
    const char* text;
  };
  static constexpr Case kCases[] = {{0, "0s"},
                                    {999, "999ns"},
                                    {1'000, "1µs"},
                                    {1'050, "1.05µs"},
                                    {1'500'000, "1.5ms"},
                                    {999'999'999, "999.999999ms"},
                                    {1'000'000'000, "1s"},
                                    {61'000'000'001, "1m1.000000001s"},
                                    {60'000'000'000, "1m0s"},
                                    {3'600'000'000'000, "1h0m0s"},
                                    {93'784'500'000'000, "26h3m4.5s"}};
  for (const Case& c : kCases) {
    CHECK(go_duration(std::chrono::nanoseconds(c.nanoseconds)) == c.text);
  }
}
