#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "rules/rules.h"

namespace tabernetes::registry::validation {

TAB_DEFAULTS(kPortsDefaults, "port number=80");
TAB_DEFAULTS(kATextWhereNothingIsDefaults, "a fill=x");
TAB_DEFAULTS(kNothingWhereSomethingIsDefaults, "a fill=x");
TAB_DEFAULTS(kADefaultAlsoForAnEmptyTextDefaults, "a default=x");
TAB_DEFAULTS(kANumberFor0Defaults, "a number=3");
TAB_DEFAULTS(kNoNumberForAnotherDefaults, "a number=3");
TAB_DEFAULTS(kAFlagDefaults, "a fill=false");
TAB_DEFAULTS(kJSONDefaults, "a fill={}");
TAB_DEFAULTS(kSeveralMembersDefaults, "a,b fill=1");
TAB_DEFAULTS(kAnObjectThatIsMadeDefaults, R"(
a made
 b fill=1
)");
TAB_DEFAULTS(kNothingInOneThatIsNotThereDefaults, R"(
a given
 b fill=1
)");
TAB_DEFAULTS(kEachItemDefaults, "a[].b fill=1");
TAB_DEFAULTS(kWhereAConditionHoldsDefaults, R"(
?a=x
 b fill=1
)");
TAB_DEFAULTS(kWhereItDoesNotDefaults, R"(
?a=x
 b fill=1
else
 b fill=2
)");
TAB_DEFAULTS(kAfterWhatWasFilledInDefaults, R"(
a fill=x
?a=x
 b fill=1
)");
TAB_DEFAULTS(kRulesOfAnotherNameDefaults, "a[] &ports");
TAB_DEFAULTS(kWhatIsMoreThanAWordDefaults, "a made @name-it");

namespace {

void name_it(json::Value& place, json::Arena& arena) {
  place.set(arena, "name", json::Value::string("it"));
}

std::string filled(const Defaults& defaults, std::string_view object) {
  json::Arena arena;
  json::Value value = codec::read_json(object, arena).value;
  defaults.apply(value, arena);
  std::string out;
  codec::write_json(value, out);
  return out;
}

}  // namespace

extern const NamedFill kTestFills[] = {
    {"name-it", &name_it},
};

namespace {

TEST_CASE("fill: missing members are filled in", "[rules]") {
  struct Case {
    std::string_view name;
    const Defaults& defaults;
    std::string_view object, filled;
  };
  static constexpr Case kCases[] = {
      {"a text where nothing is", kATextWhereNothingIsDefaults, "{}", R"({"a":"x"})"},
      {"nothing where something is", kNothingWhereSomethingIsDefaults, R"({"a":""})",
       R"({"a":""})"},
      {"a default also for an empty text", kADefaultAlsoForAnEmptyTextDefaults, R"({"a":""})",
       R"({"a":"x"})"},
      {"a number for 0", kANumberFor0Defaults, R"({"a":0})", R"({"a":3})"},
      {"no number for another", kNoNumberForAnotherDefaults, R"({"a":1})", R"({"a":1})"},
      {"a flag", kAFlagDefaults, "{}", R"({"a":false})"},
      {"JSON", kJSONDefaults, "{}", R"({"a":{}})"},
      {"several members", kSeveralMembersDefaults, R"({"b":2})", R"({"b":2,"a":1})"},
      {"an object that is made", kAnObjectThatIsMadeDefaults, "{}", R"({"a":{"b":1}})"},
      {"nothing in one that is not there", kNothingInOneThatIsNotThereDefaults, "{}", "{}"},
      {"each item", kEachItemDefaults, R"({"a":[{},{"b":2}]})", R"({"a":[{"b":1},{"b":2}]})"},
      {"where a condition holds", kWhereAConditionHoldsDefaults, R"({"a":"x"})",
       R"({"a":"x","b":1})"},
      {"where it does not", kWhereItDoesNotDefaults, R"({"a":"y"})", R"({"a":"y","b":2})"},
      {"after what was filled in", kAfterWhatWasFilledInDefaults, "{}", R"({"a":"x","b":1})"},
      {"rules of another name", kRulesOfAnotherNameDefaults, R"({"a":[{}]})",
       R"({"a":[{"port":80}]})"},
      {"what is more than a word", kWhatIsMoreThanAWordDefaults, "{}", R"({"a":{"name":"it"}})"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) { CHECK(filled(c.defaults, c.object) == c.filled); }
  }
}

}  // namespace
}  // namespace tabernetes::registry::validation
