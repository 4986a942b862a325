#include "base/go/text.h"

#include <catch2/catch_test_macros.hpp>

#include "base/text/utf8.h"

namespace tabernetes {
namespace {

TEST_CASE("go_text: quoting is that of strconv.Quote", "[base]") {
  struct Case {
    std::string_view name, in, out;
  };
  static constexpr Case kCases[] = {
      {"plain", "abc", R"("abc")"},
      {"empty", "", R"("")"},
      {"quote and backslash", R"(a"b\c)", R"("a\"b\\c")"},
      {"named controls", "\a\b\f\n\r\t\v", R"("\a\b\f\n\r\t\v")"},
      {"other controls", std::string_view("\0\x1f\x7f", 3), R"("\x00\x1f\x7f")"},
      {"letters beyond ASCII stay", "é世😀", "\"é世😀\""},
      {"no-break space", "\xc2\xa0", R"("\u00a0")"},
      {"byte order mark", "\xef\xbb\xbf", R"("\ufeff")"},
      {"line separator", "\xe2\x80\xa8", R"("\u2028")"},
      {"replacement character itself", "\xef\xbf\xbd", "\"\xef\xbf\xbd\""},
      {"tag character", "\xf3\xa0\x80\x81", R"("\U000e0001")"},
      {"broken UTF-8", "a\xff\xc3", R"("a\xff\xc3")"},
      {"overlong form", "\xc0\x80", R"("\xc0\x80")"},
      {"surrogate", "\xed\xa0\x80", R"("\xed\xa0\x80")"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) { CHECK(go_quote(c.in) == c.out); }
  }
}

TEST_CASE("go_text: spaces are trimmed as strings.TrimSpace does", "[base]") {
  struct Case {
    std::string_view name, in, out;
  };
  static constexpr Case kCases[] = {
      {"nothing to trim", "a b", "a b"},
      {"both ends", " \t\r\n\v\f a b \n", "a b"},
      {"only spaces", " \xc2\xa0\n", ""},
      {"empty", "", ""},
      {"Unicode's spaces",
       "\xc2\x85\xe3\x80\x80"
       "a\xe2\x80\x83\xe2\x80\xa9",
       "a"},
      {"no space: zero width, separators below it", "\xe2\x80\x8b\x1f", "\xe2\x80\x8b\x1f"},
      {"broken UTF-8 stays", " \xff ", "\xff"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) { CHECK(go_trim_space(c.in) == c.out); }
  }
}

TEST_CASE("go_text: unsigned numbers parse with Go's errors", "[base]") {
  struct Case {
    std::string_view in;
    std::uint64_t value;
    std::string_view error;
  };
  static constexpr Case kCases[] = {
      {"0", 0, ""},
      {"0042", 42, ""},
      {"18446744073709551615", 18446744073709551615u, ""},
      {"18446744073709551616", 18446744073709551615u,
       R"(strconv.ParseUint: parsing "18446744073709551616": value out of range)"},
      {"99999999999999999999999", 18446744073709551615u,
       R"(strconv.ParseUint: parsing "99999999999999999999999": value out of range)"},
      {"abc", 0, R"(strconv.ParseUint: parsing "abc": invalid syntax)"},
      {"", 0, R"(strconv.ParseUint: parsing "": invalid syntax)"},
      {"-1", 0, R"(strconv.ParseUint: parsing "-1": invalid syntax)"},
      {"+1", 0, R"(strconv.ParseUint: parsing "+1": invalid syntax)"},
      {"1_0", 0, R"(strconv.ParseUint: parsing "1_0": invalid syntax)"},
      {"99999999999999999999999x", 0,
       R"(strconv.ParseUint: parsing "99999999999999999999999x": invalid syntax)"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION("'" << c.in << "'") {
      const GoParsedUint parsed = go_parse_uint(c.in);
      CHECK(parsed.value == c.value);
      CHECK(parsed.error == c.error);
    }
  }
}

TEST_CASE("go_text: signed numbers parse with Go's errors", "[base]") {
  struct Case {
    std::string_view in;
    std::int64_t value;
    std::string_view error;
  };
  constexpr std::int64_t kMin = -9223372036854775807 - 1;
  static constexpr Case kCases[] = {
      {"-5", -5, ""},
      {"+5", 5, ""},
      {"9223372036854775807", 9223372036854775807, ""},
      {"-9223372036854775808", kMin, ""},
      {"9223372036854775808", 9223372036854775807,
       R"(strconv.ParseInt: parsing "9223372036854775808": value out of range)"},
      {"-9223372036854775809", kMin,
       R"(strconv.ParseInt: parsing "-9223372036854775809": value out of range)"},
      {"-", 0, R"(strconv.ParseInt: parsing "-": invalid syntax)"},
      {"", 0, R"(strconv.ParseInt: parsing "": invalid syntax)"},
      {"1.5", 0, R"(strconv.ParseInt: parsing "1.5": invalid syntax)"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION("'" << c.in << "'") {
      const GoParsedInt parsed = go_parse_int(c.in);
      CHECK(parsed.value == c.value);
      CHECK(parsed.error == c.error);
    }
  }
}

TEST_CASE("go text: an aggregate has each error once, in brackets if they are several", "[base]") {
  CHECK(go_aggregate({}) == "");
  CHECK(go_aggregate({"a"}) == "a");
  CHECK(go_aggregate({"a", "a"}) == "a");
  CHECK(go_aggregate({"b", "a", "b"}) == "[b, a]");
}

TEST_CASE("utf8: validity", "[base]") {
  CHECK(is_valid_utf8(""));
  CHECK(is_valid_utf8("aé世😀"));
  CHECK_FALSE(is_valid_utf8("a\x80"));
  CHECK_FALSE(is_valid_utf8("\xf4\x90\x80\x80"));  // beyond U+10FFFF
  CHECK_FALSE(is_valid_utf8("\xe4\xb8"));          // cut short
}

}  // namespace
}  // namespace tabernetes
