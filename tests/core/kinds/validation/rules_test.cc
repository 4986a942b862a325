#include "rules/rules.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/json_reader.h"
#include "kinds/kinds.h"
#include "kinds/validation/checks_kinds.h"
#include "rules/rule_steps.h"

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

TEST_CASE("rules: the errors of a line", "[registry]") {
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
      {"two members in one line", "a,b.c required\n", R"({"a":{"c":"x"}})", "b.c: Required value"},
      {"shown as what it is in", "a[].b>^ required\n", R"({"a":[{}]})", "a[0]: Required value"},
      {"shown as one of the list", "a[].^b required\n", R"({"a":[{}]})", "a.b: Required value"},
      {"the place as a member", "a\n >b bad \"no\"\n", R"({"a":1})", "a.b: Invalid value: 1: no"},
      {"all conditions of a line", "?a ?b\n c required\n", R"({"a":"x"})", ""},
      {"else", "?a\n b required\nelse\n c required\n", "{}", "c: Required value"},
      {"not else", "?a\n b required\nelse\n c required\n", R"({"a":"x"})", "b: Required value"},
      {"else with a condition", "?a\n b required\nelse ?d=1\n c required\nelse\n e required\n",
       R"({"d":1})", "c: Required value"},
      {"one of the members", "?!any:a,b\n . need \"a or b\"\n", "{}",
       "<nil>: Required value: a or b"},
      {"more than one member", "?two:a,b\n b deny \"no\"\n", R"({"a":1,"b":2})",
       "b: Forbidden: no"},
      {"the object around", "a.b\n ?.c\n  . deny \"no\"\n", R"({"a":{"b":1,"c":"x"}})",
       "a.b: Forbidden: no"},
      {"the object around the list", "l[].b\n ?..c\n  . deny \"no\"\n",
       R"({"c":"x","l":[{"b":1}]})", "l[0].b: Forbidden: no"},
      {"a number against another", "a le:.b \"too much\"\n", R"({"a":3,"b":2})",
       "a: Invalid value: 3: too much"},
      {"zero is none", "a nonzero range:1-9\nb needed\n", R"({"a":0,"b":0})", "b: Required value"},
      {"a word that stops", "a is!:label maxlen:1\n", R"({"a":"x."})",
       "a: Invalid value: \"x.\": a lowercase RFC 1123 label must consist of lower case "
       "alphanumeric "
       "characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name', "
       " or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"},
      {"none is a text too", "a[].n distinct=\"\"\n", R"({"a":[{},{"n":""}]})",
       "a[1].n: Duplicate value: \"\""},
      {"apart from another list", "a[].n apart:..b[].n \"taken\"\n",
       R"({"a":[{"n":"x"},{"n":"y"}],"b":[{"n":"y"}]})", "a[1].n: Invalid value: \"y\": taken"},
      {"among another list", "a[].n among:..b[].n,..c[]\n",
       R"({"a":[{"n":"x"},{"n":"y"},{"n":"z"}],"b":[{"n":"y"}],"c":["x"]})",
       "a[2].n: Not found: \"z\""},
      {"the first of several", "b first:a \"one\"\n", R"({"a":1,"b":2})", "b: Forbidden: one"},
      {"a number above", "?a>2\n b required\n", R"({"a":3})", "b: Required value"},
      {"a number not above", "?a>2\n b required\n", R"({"a":2})", ""},
      {"a detail with quotes", "a required |say \"it\"|\n", "{}", "a: Required value: say \"it\""},
      {"unsupported as a whole", "a unsupported=#core.v1.LocalObjectReference:x,y\n",
       R"({"a":{"name":"z"}})",
       "a: Unsupported value: {\"Name\":\"z\"}: supported values: \"x\", \"y\""},
      {"as Go prints a type", ". bad=#core.v1.LocalObjectReference \"no\"\n", R"({"name":"x"})",
       "<nil>: Invalid value: {\"Name\":\"x\"}: no"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) { CHECK(faults(c.rules, c.object) == c.faults); }
  }
}

TEST_CASE("rules: duplicates in long lists", "[registry]") {
  std::string list;
  for (int i = 0; i < 40; ++i) {
    list += std::string(i == 0 ? "" : ",") + R"({"n":"x)" + std::to_string(i % 39) + "\"}";
  }
  const std::string object = R"({"a":[)" + list + R"(],"b":[)" + list + "]}";
  CHECK(faults("a[].n distinct\n", object) == "a[39].n: Duplicate value: \"x0\"");
  CHECK(faults("b[] distinct\n", object) == R"(b[39]: Duplicate value: {"n":"x0"})");
  CHECK(faults("a[].n apart:..b[].n\n", object).starts_with("[a[0].n: Duplicate value"));
  CHECK(faults("a[].n among:..b[].n\n", object).empty());
}

// Names of rules, checks, conditions, words and formats are resolved when a text is compiled.
TEST_CASE("rules: every text compiles", "[registry]") {
  for (const NamedRules* rows : vocabulary().shared) {
    for (; !rows->name.empty(); ++rows) {
      CHECK_FALSE(program_of(vocabulary(), rows->rules).steps.empty());
    }
  }
  for (const kinds::Kind* kind : kinds::all_kinds()) {
    for (const std::string_view text : {kind->rules, kind->defaults}) {
      if (!text.empty()) CHECK_FALSE(program_of(vocabulary(), text).steps.empty());
    }
  }
}

TEST_CASE("rules: lines for some writes only", "[registry]") {
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
