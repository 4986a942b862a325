#include "base/go/time.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes {
namespace {

TEST_CASE("go time: prints whole seconds in UTC", "[base]") {
  struct Case {
    std::string_view in, out;
  };
  static constexpr Case kCases[] = {
      {"2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"},
      {"2026-01-02T03:04:05.999Z", "2026-01-02T03:04:05Z"},
      {"2026-01-02T03:04:05,5Z", "2026-01-02T03:04:05Z"},
      {"2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05Z"},
      {"2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00Z"},
      {"2025-12-31T23:30:00-01:00", "2026-01-01T00:30:00Z"},
      {"2024-02-28T23:30:00-24:00", "2024-02-29T23:30:00Z"},
      {"2026-01-02T3:04:05Z", "2026-01-02T03:04:05Z"},
      {"9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"},
      {"0001-01-01T00:00:00Z", ""},
      {"0001-01-01T01:00:00+01:00", ""},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.in) {
      const GoTime time = normalise_go_time(c.in, TimeLayout::kSeconds);
      CHECK(time.error.empty());
      CHECK(time.text == c.out);
      CHECK(is_canonical_go_time(c.in, TimeLayout::kSeconds) == (c.in == c.out));
    }
  }
}

TEST_CASE("go time: micro times have six digits", "[base]") {
  struct Case {
    std::string_view in, out;
  };
  static constexpr Case kCases[] = {
      {"2026-01-02T03:04:05.000000Z", "2026-01-02T03:04:05.000000Z"},
      {"2026-01-02T03:04:05.123456+02:00", "2026-01-02T01:04:05.123456Z"},
      {"0001-01-01T00:00:00.000000Z", ""},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.in) {
      const GoTime time = normalise_go_time(c.in, TimeLayout::kMicroseconds);
      CHECK(time.error.empty());
      CHECK(time.text == c.out);
      CHECK(is_canonical_go_time(c.in, TimeLayout::kMicroseconds) == (c.in == c.out));
    }
  }
}

TEST_CASE("go time: says what cannot be parsed", "[base]") {
  struct Case {
    std::string_view in;
    TimeLayout layout;
    std::string_view after_the_layout;  // end of the message
  };
  constexpr TimeLayout kSeconds = TimeLayout::kSeconds;
  constexpr TimeLayout kMicro = TimeLayout::kMicroseconds;
  static constexpr Case kCases[] = {
      {"yesterday", kSeconds, R"(cannot parse "yesterday" as "2006")"},
      {"", kSeconds, R"(cannot parse "" as "2006")"},
      {"2026", kSeconds, R"(cannot parse "" as "-")"},
      {"2026/01/02", kSeconds, R"(cannot parse "/01/02" as "-")"},
      {"2026-1-02T03:04:05Z", kSeconds, R"(cannot parse "1-02T03:04:05Z" as "01")"},
      {"2026-01-02 03:04:05Z", kSeconds, R"(cannot parse " 03:04:05Z" as "T")"},
      {"2026-01-02T03:04:05", kSeconds, R"(cannot parse "" as "Z07:00")"},
      {"2026-01-02T03:04:05z", kSeconds, R"(cannot parse "z" as "Z07:00")"},
      {"2026-01-02T03:04:05+0200", kSeconds, R"(cannot parse "+0200" as "Z07:00")"},
      {"2026-01-02T03:04:16.5Z", kMicro, R"(cannot parse ".5Z" as ".000000")"},
      {"2026-01-02T03:04:16Z", kMicro, R"(cannot parse "Z" as ".000000")"},
      {"2026-01-02T03:04:16.1234567Z", kMicro, R"(cannot parse "7Z" as "Z07:00")"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.in) {
      std::string expected = "parsing time \"";
      expected += c.in;
      expected += c.layout == kSeconds ? R"(" as "2006-01-02T15:04:05Z07:00": )"
                                       : R"(" as "2006-01-02T15:04:05.000000Z07:00": )";
      expected += c.after_the_layout;
      CHECK(normalise_go_time(c.in, c.layout).error == expected);
      CHECK_FALSE(is_canonical_go_time(c.in, c.layout));
    }
  }
}

TEST_CASE("go time: says what is out of range", "[base]") {
  struct Case {
    std::string_view in, message;
  };
  static constexpr Case kCases[] = {
      {"2026-13-02T03:04:05Z", ": month out of range"},
      {"2026-02-30T03:04:05Z", ": day out of range"},
      {"2025-02-29T03:04:05Z", ": day out of range"},
      {"2026-01-02T24:04:05Z", ": hour out of range"},
      {"2026-01-02T03:60:05Z", ": minute out of range"},
      {"2026-01-02T03:04:60Z", ": second out of range"},
      {"2026-01-02T03:04:05+25:00", ": time zone offset hour out of range"},
      {"2026-01-02T03:04:05Z!", ": extra text: \"!\""},
      {"2026-01-02T03:04:05Z\xC3\xA9", ": extra text: \"\\xc3\\xa9\""},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.in) {
      const std::string error = normalise_go_time(c.in, TimeLayout::kSeconds).error;
      CHECK(error.starts_with("parsing time \""));
      CHECK(error.ends_with(std::string("\"") + std::string(c.message)));
      CHECK_FALSE(is_canonical_go_time(c.in, TimeLayout::kSeconds));
    }
  }
}

}  // namespace
}  // namespace tabernetes
