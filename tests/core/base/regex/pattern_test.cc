#include "base/regex/pattern.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace tabernetes {
namespace {

bool matches(std::string_view pattern, std::string_view text) {
  const auto compiled = Pattern::compile(pattern);
  REQUIRE(compiled);
  return compiled->matches(text);
}

TEST_CASE("patterns: what matches, and what does not", "[base]") {
  struct Case {
    std::string_view pattern, yes, no;
  };
  static constexpr Case kCases[] = {
      {"b", "abc", "acd"},
      {"^b", "bc", "ab"},
      {"b$", "ab", "bc"},
      {"^(a|bc|)d$", "bcd", "abcd"},
      {"^(a|bc|)d$", "d", "bd"},
      {"^a*b+c?$", "aabb", "aac"},
      {"^(?:ab){2,3}$", "ababab", "abababab"},
      {"^a{2}$", "aa", "aaa"},
      {"^a{2,}$", "aaaa", "a"},
      {"^a{,2}$", "a{,2}", "aa"},  // not a repetition: literal characters
      {"^a.c$", "abc", "a\nc"},
      {"(?s)^a.c$", "a\nc", "ac"},
      {"(?i)^LocalHost$", "lOCALhOST", "localhos"},
      {"^[a-c0-9_.-]+$", "b-7._", "d"},
      {"^[^a-c]$", "d", "a"},
      {"^[]a]$", "]", "b"},
      {"^[\\d\\-]+$", "1-2", "a"},
      {"^[\\d-x]+$", "1-x", "a"},  // a dash between ranges is literal
      {"^[0-9A-Za-z-.]+$", "a-0.", "/"},
      {"^\\d\\D\\w\\W\\s\\S$", "1a_- x", "aa_- x"},
      {"\\bfoo\\b", "a foo b", "afoo"},
      {"\\Bo", "foo", "o"},
      {"^\\x41\\.\\/$", "A./", "Ab/"},
      {"^(?P<host>x)(?<port>y)$", "xy", "x"},
      {"^(a*)*$", "aaa", "b"},
      {"^(a|)+$", "aa", "b"},
      {"^a+?b??$", "aab", "abb"},
      {"^\xC3\xA4+$", "\xC3\xA4", "\xC3"},
      {"\\Ax\\z", "x", "xx"},
      {"^https?://localhost(:\\d+)?$", "http://localhost:5173", "http://localhost.evil.com"},
      {"//127\\.0\\.0\\.1(:|$)", "http://127.0.0.1:80", "http://127.0.0.10"},
  };
  for (const Case& c : kCases) {
    INFO(c.pattern);
    CHECK(matches(c.pattern, c.yes));
    CHECK_FALSE(matches(c.pattern, c.no));
  }
  CHECK(matches("", ""));
  CHECK(matches("x*", "y"));
}

TEST_CASE("patterns: where a match is", "[base]") {
  struct Case {
    std::string_view pattern, text, found;
  };
  static constexpr Case kCases[] = {
      {"a.*X", "aXbX", "aXbX"},
      {"a.*?X", "aXbX", "aX"},
      {"a|ab|abc", "xabc", "a"},
      {"(?U)a.*X", "aXbX", "aX"},
      {"[[:digit:]]+", "abc123", "123"},
      {"\\p{Han}+", "a\u65e5\u672cb", "\u65e5\u672c"},
      {"[^\\x00-\\x{7F}]", "a\u00e9", "\u00e9"},
      {"(?m)^b$", "a\nb\nc", "b"},
      {"(?i:B)c", "bc", "bc"},
      {"\\Qa.b\\E+", "xa.bb", "a.bb"},
      {"(a?\?)*", "aa", ""},
      {"(a?\?)+b", "aab", "aab"},
      {"(a|b?\?)*c", "abc", "abc"},
      {"a(?i){2}", "xaa", "aa"},
      {"a\\Q\\E*", "aab", "aa"},
      {"(?i)\\p{Lu}+", "-aB-", "aB"},
      {"(?i)[^\\P{Lu}]+", "-aB-", "aB"},
      {"(?i)[\u00c0-\u00de]", "\u00f7\u00e4", "\u00e4"},
      {"\\_", "a_", "_"},
  };
  for (const Case& c : kCases) {
    INFO(c.pattern);
    const auto compiled = Pattern::compile(c.pattern);
    REQUIRE(compiled);
    const auto match = compiled->find(c.text, 0);
    REQUIRE(match);
    CHECK(c.text.substr(match->begin, match->end - match->begin) == c.found);
  }
  CHECK_FALSE(Pattern::compile("b")->find("ba", 1));
}

TEST_CASE("patterns: mistakes in Go's words", "[base]") {
  struct Case {
    std::string_view pattern, error;
  };
  static constexpr Case kCases[] = {
      {"(a", "missing closing ): `(a`"},
      {"a)", "unexpected ): `a)`"},
      {"[a", "missing closing ]: `[a`"},
      {"*", "missing argument to repetition operator: `*`"},
      {"a|+", "missing argument to repetition operator: `+`"},
      {"a**", "invalid nested repetition operator: `**`"},
      {"a{1001}", "invalid repeat count: `{1001}`"},
      {"a{3,2}", "invalid repeat count: `{3,2}`"},
      {"a\\", "trailing backslash at end of expression: ``"},
      {"\\q", "invalid escape sequence: `\\q`"},
      {"[z-a]", "invalid character class range: `z-a`"},
      {"(?=a)", "invalid or unsupported Perl syntax: `(?=`"},
  };
  for (const Case& c : kCases) {
    INFO(c.pattern);
    const auto compiled = Pattern::compile(c.pattern);
    REQUIRE_FALSE(compiled);
    CHECK(compiled.error() == "error parsing regexp: " + std::string(c.error));
  }
}

TEST_CASE("patterns: neither size nor depth nor time explode", "[base]") {
  CHECK_FALSE(Pattern::compile("((((a{1000}){1000}){1000}){1000})"));
  CHECK_FALSE(Pattern::compile("((((){1000}){1000}){1000}){1000}"));
  CHECK_FALSE(Pattern::compile(std::string(100'000, '(')));
  CHECK_FALSE(matches("^(a+)+(a|aa)*$", std::string(50'000, 'a') + "b"));
  CHECK(matches("(x+x+)+y", std::string(50'000, 'x') + "y"));
}

}  // namespace
}  // namespace tabernetes
