#include "registry/validation/rules.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/json_reader.h"

namespace tabernetes::registry::validation {
namespace {

std::string faults(std::string_view rules, std::string_view now, std::string_view old = {},
                   Write write = Write::kCreate) {
  json::Arena arena;
  const json::Value object = codec::read_json(now, arena).value;
  const json::Value before = codec::read_json(old.empty() ? "null" : old, arena).value;
  field::ErrorList errors;
  check(rules, write, Field(object, errors), old.empty() ? nullptr : &before);
  return field::aggregate(errors);
}

TEST_CASE("rules: what a line says of a place", "[registry]") {
  struct Case {
    std::string_view name, rules, object, faults;
  };
  static constexpr Case kCases[] = {
      {"a required text", "a required\n", R"({"a":""})", "a: Required value"},
      {"a detail", "a required \"say it\"\n", "{}", "a: Required value: say it"},
      {"a line stops", "a required is:label\n", "{}", "a: Required value"},
      {"lines below stop with it", "a opt\n b required\n", "{}", ""},
      {"lines below go on from the place", "a\n b.c required\n", "{}", "a.b.c: Required value"},
      {"another name in the path", "a>x.b required\n", "{}", "x.b: Required value"},
      {"each item", "a[].b positive\n", R"({"a":[{"b":1},{}]})",
       "a[1].b: Invalid value: 0: must be greater than zero"},
      {"each member of a map", "a{} min:0\n", R"({"a":{"k":-1}})",
       "a[k]: Invalid value: -1: must be greater than or equal to 0"},
      {"a repeated member", "a[].n distinct\n", R"({"a":[{"n":"x"},{"n":"x"}]})",
       "a[1].n: Duplicate value: \"x\""},
      {"a repeated item", "a[] distinct\n", R"({"a":["x","y","x"]})",
       "a[2]: Duplicate value: \"x\""},
      {"if it is there", "?a\n b required\n", R"({"a":"x"})", "b: Required value"},
      {"if it is not", "?!a\n b required\n", R"({"a":"x"})", ""},
      {"empty is there for +", "?+a\n b required\n", R"({"a":""})", "b: Required value"},
      {"one of two values", "?a=x|y\n b required\n", R"({"a":"y"})", "b: Required value"},
      {"none of two values", "?a!=x|y\n b required\n", R"({"a":"y"})", ""},
      {"a value of the whole object", "a[]\n ?/b=1\n  . deny \"no\"\n", R"({"a":[0],"b":1})",
       "a[0]: Forbidden: no"},
      {"more than one item", "a[]\n ?several\n  n required\n", R"({"a":[{"n":"x"},{}]})",
       "a[1].n: Required value"},
      {"a value of its own", ". bad=null \"none\"\n", R"({"a":1})",
       "<nil>: Invalid value: null: none"},
      {"a star beside others", "a star \"alone\"\n", R"({"a":["*","b"]})",
       R"(a: Invalid value: ["*","b"]: alone)"},
      {"rules of another name", "a &condition\n", R"({"a":{"type":"x","status":"True"}})",
       "[a.lastTransitionTime: Required value, a.reason: Required value]"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) { CHECK(faults(c.rules, c.object) == c.faults); }
  }
}

TEST_CASE("rules: what depends on the write", "[registry]") {
  constexpr std::string_view kRules =
      "a required\non update\n b immutable\non status\n c required\n";
  CHECK(faults(kRules, R"({"a":"x","b":1})").empty());
  CHECK(faults(kRules, R"({"a":"x","b":2})", R"({"b":1})", Write::kUpdate) ==
        "b: Invalid value: 2: field is immutable");
  CHECK(faults(kRules, R"({"a":"x"})", R"({"b":1})", Write::kUpdate) ==
        "b: Invalid value: null: field is immutable");
  CHECK(faults(kRules, "{}", "{}", Write::kStatus) == "c: Required value");
}

}  // namespace
}  // namespace tabernetes::registry::validation
