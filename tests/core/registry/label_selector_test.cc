#include "registry/selectors/label_selector.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes::registry {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

TEST_CASE("label_selector: selectors print in canonical form, which parses to the same",
          "[registry]") {
  struct Case {
    std::string_view in, out;
  };
  static constexpr Case kCases[] = {
      {"", ""},
      {"  ", ""},
      {"a", "a"},
      {"!a", "!a"},
      {"! a", "!a"},
      {"a=b", "a=b"},
      {" a = b ", "a=b"},
      {"a==b", "a==b"},
      {"a!=b", "a!=b"},
      {"a=", "a="},
      {"a=,b", "a=,b"},
      {"tier in (db,app)", "tier in (app,db)"},
      {"a\tnotin\r\n( x )", "a notin (x)"},
      {"a in (x,x)", "a in (x)"},
      {"a in ()", "a in ()"},
      {"a in (,)", "a in ()"},
      {"a in (x,)", "a in (,x)"},
      {"a in (x,,y)", "a in (,x,y)"},
      {"a in (,x)", "a in (,x)"},
      {"a in (,,)", "a in ()"},
      {"a>1", "a>1"},
      {"a < 0042", "a<0042"},
      {"z=1,a=2", "a=2,z=1"},
      {"a=2,a=1", "a=2,a=1"},
      {"in in (in)", "in in (in)"},
      {"notin,in", "in,notin"},
      {"a=in", "a=in"},
      {"a in (in,notin)", "a in (in,notin)"},
      {"example.com/x_Y.z=V-1", "example.com/x_Y.z=V-1"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION("'" << c.in << "'") {
      const auto selector = parse_label_selector(c.in);
      REQUIRE(selector);
      CHECK(selector->to_string() == c.out);
      CHECK(selector->empty() == c.out.empty());
      const auto again = parse_label_selector(c.out);
      REQUIRE(again);
      CHECK(*again == *selector);
    }
  }
}

TEST_CASE("label_selector: every operator against present, other and missing labels",
          "[registry]") {
  static constexpr Pair kLabels[] = {
      {"app", "web"}, {"n", "7"}, {"big", "9223372036854775808"}, {"empty", ""}, {"neg", "-1"}};
  struct Case {
    std::string_view selector;
    bool matches;
  };
  static constexpr Case kCases[] = {
      {"", true},
      {"app", true},
      {"missing", false},
      {"empty", true},
      {"!app", false},
      {"!missing", true},
      {"app=web", true},
      {"app==web", true},
      {"app=Web", false},
      {"missing=", false},
      {"empty=", true},
      {"app!=web", false},
      {"app!=db", true},
      {"missing!=db", true},
      {"app in (db,web)", true},
      {"app in (db)", false},
      {"missing in ()", false},
      {"empty in ()", true},
      {"app notin (db,web)", false},
      {"app notin (db)", true},
      {"missing notin (db)", true},
      {"n>6", true},
      {"n>7", false},
      {"n<8", true},
      {"n<7", false},
      {"neg<0", true},
      {"app>0", false},
      {"app<9", false},
      {"big>0", false},
      {"missing>0", false},
      {"missing<0", false},
      {"app=web,n=7", true},
      {"app=web,n=8", false},
      {"app=web,app=db", false},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION("'" << c.selector << "'") {
      const auto selector = parse_label_selector(c.selector);
      REQUIRE(selector);
      CHECK(selector->matches(kLabels) == c.matches);
    }
  }
}

// The rule for keys and values, see spec/list-watch.md 6.2.
const std::string kRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const std::string kKey = "name part " + kRule;
const std::string kValue =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
    "or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const std::string kPrefix =
    "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric "
    "characters, '-' or '.', and must start and end with an alphanumeric character (e.g. "
    "'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

std::string invalid(std::string_view field, std::string_view value, const std::string& text) {
  return std::string(field) + ": Invalid value: \"" + std::string(value) + "\": " + text;
}

struct BadCase {
  std::string in;
  std::string message;
};

void check(const std::vector<BadCase>& cases, const std::string& prefix) {
  for (const BadCase& c : cases) {
    DYNAMIC_SECTION("'" << c.in << "'") {
      const auto selector = parse_label_selector(c.in);
      REQUIRE_FALSE(selector);
      CHECK(selector.error().code == 400);
      CHECK(selector.error().reason == "BadRequest");
      CHECK(selector.error().message == prefix + c.message);
    }
  }
}

TEST_CASE("label_selector: errors for invalid requirements", "[registry]") {
  const std::string long_text(64, 'x');
  const std::string operators = ", expected: in, notin, =, ==, !=, gt, lt";
  check(
      {
          {"a b", "found 'b'" + operators},
          {"bad key=x", "found 'key'" + operators},
          {"a!", "found '!'" + operators},
          {"a!!b", "found '!'" + operators},
          {"a)", "found ')'" + operators},
          {"!", "found '', expected: identifier"},
          {"!!a", "found '!', expected: identifier"},
          {"!,", "found ',', expected: identifier"},
          {"a=(", "found '(', expected: identifier"},
          {"a===b", "found '=', expected: identifier"},
          {"a><1", "found '<', expected: identifier"},
          {"n>=1", "found '=', expected: identifier"},
          {"a=b,!", "found '', expected: identifier"},
          {"-a", invalid("<nil>", "-a", kKey)},
          {"é", invalid("<nil>", "é", kKey)},
          {"a\xc2\xa0", invalid("<nil>", "a\\u00a0", kKey)},
          {"!-a", invalid("<nil>", "-a", kKey)},
          {"/a", invalid("<nil>", "/a", "prefix part must be non-empty")},
          {"a/", invalid("<nil>", "a/", "name part must be non-empty; " + kKey)},
          {"A_b/c", invalid("<nil>", "A_b/c", kPrefix)},
          {"a/b/c", invalid("<nil>", "a/b/c",
                            "a valid label key " + kRule +
                                " with an optional DNS subdomain prefix and '/' (e.g. "
                                "'example.com/MyName')")},
          {long_text, invalid("<nil>", long_text, "name part must be no more than 63 bytes")},
          {"app=x@", invalid("values[0][app]", "x@", kValue)},
          {"a in (y@,x@)", "[" + invalid("values[0][a]", "x@", kValue) + ", " +
                               invalid("values[1][a]", "y@", kValue) + "]"},
          {"app=" + long_text,
           invalid("values[0][app]", long_text, "must be no more than 63 bytes")},
          {"a>abc",
           invalid("values[0]", "abc", "for 'Gt', 'Lt' operators, the value must be an integer")},
          {"a>",
           invalid("values[0]", "", "for 'Gt', 'Lt' operators, the value must be an integer")},
          {"a>9223372036854775808",
           invalid("values[0]", "9223372036854775808",
                   "for 'Gt', 'Lt' operators, the value must be an integer")},
          {"a>-1", invalid("values[0][a]", "-1", kValue)},
          {"a<x@", "[" +
                       invalid("values[0]", "x@",
                               "for 'Gt', 'Lt' operators, the value must be an integer") +
                       ", " + invalid("values[0][a]", "x@", kValue) + "]"},
          {"a in b", "found 'b' expected: '('"},
          {"a in", "found '' expected: '('"},
          {"a in (", "found '', expected: ',', ')' or identifier"},
          {"a in (=)", "found '=', expected: ',', ')' or identifier"},
          {"a in (b", "found '', expected: ',' or ')'"},
          {"a in (b c)", "found 'c', expected: ',' or ')'"},
          {"a in (x!)", "found '!', expected: ',' or ')'"},
          {"a in (b,", "found '', expected: ',', or identifier"},
          {"a in (b,=)", "found '=', expected: ',', or identifier"},
          {"a in (,=)", "found '=', expected: ',', or identifier"},
      },
      "unable to parse requirement: ");
}

TEST_CASE("label_selector: separators of requirements are checked", "[registry]") {
  check(
      {
          {"a=b c", "found 'c', expected: ',' or 'end of string'"},
          {"a=b=c", "found '=', expected: ',' or 'end of string'"},
          {"a=x!", "found '!', expected: ',' or 'end of string'"},
          {"a=not ok!", "found 'ok', expected: ',' or 'end of string'"},
          {"!a in (b)", "found 'in', expected: ',' or 'end of string'"},
          {"!a!", "found '!', expected: ',' or 'end of string'"},
          {"a in (b) c", "found 'c', expected: ',' or 'end of string'"},
          {"a,", "found '', expected: identifier after ','"},
          {"a=b,,c", "found ',', expected: identifier after ','"},
          {"a,(", "found '(', expected: identifier after ','"},
          {",a", "found ',', expected: !, identifier, or 'end of string'"},
          {",", "found ',', expected: !, identifier, or 'end of string'"},
          {"(", "found '(', expected: !, identifier, or 'end of string'"},
      },
      "");
}

}  // namespace
}  // namespace tabernetes::registry
