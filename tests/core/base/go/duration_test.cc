#include "base/go/duration.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes {
namespace {

TEST_CASE("go duration: what ParseDuration reads", "[base]") {
  struct Case {
    std::string_view text;
    std::int64_t nanoseconds;
  };
  static constexpr Case kCases[] = {
      {"0", 0},
      {"5s", 5'000'000'000},
      {"+5s", 5'000'000'000},
      {"-5s", -5'000'000'000},
      {"1h30m", 5'400'000'000'000},
      {"1.5s", 1'500'000'000},
      {".5m", 30'000'000'000},
      {"2.s", 2'000'000'000},
      {"100ms", 100'000'000},
      {"3us4ns", 3'004},
      {"3\u00b5s", 3'000},
      {"2562047h47m16.854775807s", 9'223'372'036'854'775'807},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.text) {
      const GoDuration parsed = go_parse_duration(c.text);
      CHECK(parsed.error.empty());
      CHECK(parsed.value.nanoseconds == c.nanoseconds);
    }
  }
}

TEST_CASE("go duration: what it refuses, in its words", "[base]") {
  struct Case {
    std::string_view text, error;
  };
  static constexpr Case kCases[] = {
      {"", "time: invalid duration \"\""},
      {"-", "time: invalid duration \"-\""},
      {"abc", "time: invalid duration \"abc\""},
      {".", "time: invalid duration \".\""},
      {"5", "time: missing unit in duration \"5\""},
      {"1h5", "time: missing unit in duration \"1h5\""},
      {"5d", "time: unknown unit \"d\" in duration \"5d\""},
      {"9223372036854775808ns", "time: invalid duration \"9223372036854775808ns\""},
      {"99999999999999999999s", "time: invalid duration \"99999999999999999999s\""},
      {"2562047h47m16.854775808s", "time: invalid duration \"2562047h47m16.854775808s\""},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.text) { CHECK(go_parse_duration(c.text).error == c.error); }
  }
}

}  // namespace
}  // namespace tabernetes
