#include "base/time/http_date.h"

#include <catch2/catch_test_macros.hpp>

#include "base/time/rfc3339.h"

namespace tabernetes {
namespace {

TEST_CASE("HTTP dates: written and read again", "[base]") {
  struct Case {
    const char* rfc3339;
    const char* http;
  };
  static constexpr Case kCases[] = {
      {"1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"},
      {"2026-03-01T12:34:56Z", "Sun, 01 Mar 2026 12:34:56 GMT"},
      {"2024-02-29T23:59:59Z", "Thu, 29 Feb 2024 23:59:59 GMT"},
      {"2026-12-31T00:00:00Z", "Thu, 31 Dec 2026 00:00:00 GMT"},
  };
  for (const Case& c : kCases) {
    const Time time = *parse_rfc3339(c.rfc3339);
    CHECK(format_http_date(time) == c.http);
    CHECK(parse_http_date(c.http) == time);
  }
  CHECK(format_http_date(*parse_rfc3339("2027-03-01T12:00:00Z"), "UTC") ==
        "Mon, 01 Mar 2027 12:00:00 UTC");
  CHECK(format_http_date(*parse_rfc3339("1969-12-31T23:59:59Z")) ==
        "Thu, 01 Jan 1970 00:00:00 GMT");
}

TEST_CASE("HTTP dates: what is none", "[base]") {
  for (const char* text :
       {"", "Sun, 01 Mar 2026 12:34:56", "Mon, 01 Mar 2026 12:34:56 GMT",
        "Sun, 01 mar 2026 12:34:56 GMT", "Sun, 31 Feb 2026 12:34:56 GMT",
        "Sun, 01 Mar 2026 12:34:56 UTC", "Sunday, 01-Mar-26 12:34:56 GMT",
        "Sun Mar  1 12:34:56 2026", "2026-03-01T12:34:56Z", "Sun, 01 Mar 2026 25:00:00 GMT"}) {
    INFO(text);
    CHECK(!parse_http_date(text));
  }
}

}  // namespace
}  // namespace tabernetes
