#include "rules/rules.h"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>

#include "codec/json_reader.h"
#include "rules/program.h"

namespace tabernetes::registry::validation {

TAB_RULES(kARequiredTextRules, "a required");
TAB_RULES(kADetailRules, R"(
a required "say it"
)");
TAB_RULES(kALineStopsRules, "a required is:label");
TAB_RULES(kLinesBelowStopWithItRules, R"(
a opt
 b required
)");
TAB_RULES(kLinesBelowGoOnFromThePlaceRules, R"(
a
 b.c required
)");
TAB_RULES(kAnotherNameInThePathRules, "a>x.b required");
TAB_RULES(kEachItemRules, "a[].b positive");
TAB_RULES(kEachMemberOfAMapRules, "a{} min:0");
TAB_RULES(kARepeatedMemberRules, "a[].n distinct");
TAB_RULES(kARepeatedItemRules, "a[] distinct");
TAB_RULES(kIfItIsThereRules, R"(
?a
 b required
)");
TAB_RULES(kIfItIsNotRules, R"(
?!a
 b required
)");
TAB_RULES(kEmptyIsThereForRules, R"(
?+a
 b required
)");
TAB_RULES(kOneOfTwoValuesRules, R"(
?a=x|y
 b required
)");
TAB_RULES(kNoneOfTwoValuesRules, R"(
?a!=x|y
 b required
)");
TAB_RULES(kAValueOfTheWholeObjectRules, R"(
a[]
 ?/b=1
  . deny "no"
)");
TAB_RULES(kMoreThanOneItemRules, R"(
a[]
 ?several
  n required
)");
TAB_RULES(kAValueOfItsOwnRules, R"(
. bad=null "none"
)");
TAB_RULES(kAStarBesideOthersRules, R"(
a star "alone"
)");
TAB_RULES(kRulesOfAnotherNameRules, "a &condition");
TAB_RULES(kTwoMembersInOneLineRules, "a,b.c required");
TAB_RULES(kShownAsWhatItIsInRules, "a[].b>^ required");
TAB_RULES(kShownAsOneOfTheListRules, "a[].^b required");
TAB_RULES(kThePlaceAsAMemberRules, R"(
a
 >b bad "no"
)");
TAB_RULES(kAllConditionsOfALineRules, R"(
?a ?b
 c required
)");
TAB_RULES(kByGateRules, R"(
?gate:HPAScaleToZero
 a required
?!gate:StrictIPCIDRValidation
 b is:ip
else
 c is:cidr
)");
TAB_RULES(kElseRules, R"(
?a
 b required
else
 c required
)");
TAB_RULES(kNotElseRules, R"(
?a
 b required
else
 c required
)");
TAB_RULES(kElseWithAConditionRules, R"(
?a
 b required
else ?d=1
 c required
else
 e required
)");
TAB_RULES(kOneOfTheMembersRules, R"(
?!any:a,b
 . need "a or b"
)");
TAB_RULES(kMoreThanOneMemberRules, R"(
?two:a,b
 b deny "no"
)");
TAB_RULES(kTheObjectAroundRules, R"(
a.b
 ?.c
  . deny "no"
)");
TAB_RULES(kTheObjectAroundTheListRules, R"(
l[].b
 ?..c
  . deny "no"
)");
TAB_RULES(kANumberAgainstAnotherRules, R"(
a le:.b "too much"
)");
TAB_RULES(kZeroIsNoneRules, R"(
a nonzero range:1-9
b needed
)");
TAB_RULES(kAWordThatStopsRules, "a is!:label maxlen:1");
TAB_RULES(kNoneIsATextTooRules, R"(
a[].n distinct=""
)");
TAB_RULES(kApartFromAnotherListRules, R"(
a[].n apart:..b[].n "taken"
)");
TAB_RULES(kAmongAnotherListRules, "a[].n among:..b[].n,..c[]");
TAB_RULES(kTheFirstOfSeveralRules, R"(
b first:a "one"
)");
TAB_RULES(kANumberAboveRules, R"(
?a>2
 b required
)");
TAB_RULES(kANumberNotAboveRules, R"(
?a>2
 b required
)");
TAB_RULES(kADetailWithQuotesRules, R"(
a required |say "it"|
)");
TAB_RULES(kUnsupportedAsAWholeRules, "a unsupported=#core.v1.LocalObjectReference:x,y");
TAB_RULES(kAsGoPrintsATypeRules, R"(
. bad=#core.v1.LocalObjectReference "no"
)");
TAB_RULES(kConditionRules, "lastTransitionTime,reason required");
TAB_RULES(kALongDetailRules, R"(
a deny "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
)");
TAB_RULES(kNumbersOfAnySizeRules, R"(
a range:-300-2147483647 "no"
b le:-129 "too much"
)");
TAB_RULES(kACheckInCppRules, "a[] @first-only");
TAB_RULES(kAConditionInCppRules, R"(
a[]
 ?!@first
  . deny "not the first"
)");
TAB_RULES(kAStopIsOfOneWordRules, "a eq!:1 \"not 1\" eq:2 \"not 2\" eq:3 \"not 3\"");
TAB_RULES(kRepeatedNamesRules, "a[].n distinct");
TAB_RULES(kRepeatedItemsRules, "b[] distinct");
TAB_RULES(kApartFromLongListRules, "a[].n apart:..b[].n");
TAB_RULES(kAmongLongListRules, "a[].n among:..b[].n");
TAB_RULES(kByWriteRules, R"(
a required
on update
 b immutable
on status
 c required
)");

namespace {

void first_only(const Place& place) {
  if (place.index != 0) place.now.invalid("is not the first");
}

bool is_first(const Place& place) { return place.index == 0; }

std::string faults(const Rules& rules, std::string_view now, std::string_view old = {},
                   Write write = Write::kCreate) {
  json::Arena arena;
  const json::Value object = codec::read_json(now, arena).value;
  const json::Value before = codec::read_json(old.empty() ? "null" : old, arena).value;
  field::ErrorList errors;
  rules.check(write, Field(object, errors), old.empty() ? nullptr : &before);
  return field::aggregate(errors);
}

}  // namespace

extern const NamedCheck kTestChecks[] = {
    {"first-only", &first_only},
};
extern const NamedPredicate kTestPredicates[] = {
    {"first", &is_first},
};

namespace {

TEST_CASE("rules: the errors of a line", "[registry]") {
  struct Case {
    std::string_view name;
    const Rules& rules;
    std::string_view object, faults;
  };
  static constexpr Case kCases[] = {
      {"a required text", kARequiredTextRules, R"({"a":""})", "a: Required value"},
      {"a detail", kADetailRules, "{}", "a: Required value: say it"},
      {"a line stops", kALineStopsRules, "{}", "a: Required value"},
      {"lines below stop with it", kLinesBelowStopWithItRules, "{}", ""},
      {"lines below go on from the place", kLinesBelowGoOnFromThePlaceRules, "{}",
       "a.b.c: Required value"},
      {"another name in the path", kAnotherNameInThePathRules, "{}", "x.b: Required value"},
      {"each item", kEachItemRules, R"({"a":[{"b":1},{}]})",
       "a[1].b: Invalid value: 0: must be greater than zero"},
      {"each member of a map", kEachMemberOfAMapRules, R"({"a":{"k":-1}})",
       "a[k]: Invalid value: -1: must be greater than or equal to 0"},
      {"a repeated member", kARepeatedMemberRules, R"({"a":[{"n":"x"},{"n":"x"}]})",
       "a[1].n: Duplicate value: \"x\""},
      {"a repeated item", kARepeatedItemRules, R"({"a":["x","y","x"]})",
       "a[2]: Duplicate value: \"x\""},
      {"if it is there", kIfItIsThereRules, R"({"a":"x"})", "b: Required value"},
      {"if it is not", kIfItIsNotRules, R"({"a":"x"})", ""},
      {"empty is there for +", kEmptyIsThereForRules, R"({"a":""})", "b: Required value"},
      {"one of two values", kOneOfTwoValuesRules, R"({"a":"y"})", "b: Required value"},
      {"none of two values", kNoneOfTwoValuesRules, R"({"a":"y"})", ""},
      {"a value of the whole object", kAValueOfTheWholeObjectRules, R"({"a":[0],"b":1})",
       "a[0]: Forbidden: no"},
      {"more than one item", kMoreThanOneItemRules, R"({"a":[{"n":"x"},{}]})",
       "a[1].n: Required value"},
      {"a value of its own", kAValueOfItsOwnRules, R"({"a":1})",
       "<nil>: Invalid value: null: none"},
      {"a star beside others", kAStarBesideOthersRules, R"({"a":["*","b"]})",
       R"(a: Invalid value: ["*","b"]: alone)"},
      {"rules of another name", kRulesOfAnotherNameRules, R"({"a":{"type":"x","status":"True"}})",
       "[a.lastTransitionTime: Required value, a.reason: Required value]"},
      {"two members in one line", kTwoMembersInOneLineRules, R"({"a":{"c":"x"}})",
       "b.c: Required value"},
      {"shown as what it is in", kShownAsWhatItIsInRules, R"({"a":[{}]})", "a[0]: Required value"},
      {"shown as one of the list", kShownAsOneOfTheListRules, R"({"a":[{}]})",
       "a.b: Required value"},
      {"the place as a member", kThePlaceAsAMemberRules, R"({"a":1})", "a.b: Invalid value: 1: no"},
      {"all conditions of a line", kAllConditionsOfALineRules, R"({"a":"x"})", ""},
      {"else", kElseRules, "{}", "c: Required value"},
      {"not else", kNotElseRules, R"({"a":"x"})", "b: Required value"},
      {"else with a condition", kElseWithAConditionRules, R"({"d":1})", "c: Required value"},
      {"one of the members", kOneOfTheMembersRules, "{}", "<nil>: Required value: a or b"},
      {"more than one member", kMoreThanOneMemberRules, R"({"a":1,"b":2})", "b: Forbidden: no"},
      {"the object around", kTheObjectAroundRules, R"({"a":{"b":1,"c":"x"}})",
       "a.b: Forbidden: no"},
      {"the object around the list", kTheObjectAroundTheListRules, R"({"c":"x","l":[{"b":1}]})",
       "l[0].b: Forbidden: no"},
      {"a number against another", kANumberAgainstAnotherRules, R"({"a":3,"b":2})",
       "a: Invalid value: 3: too much"},
      {"zero is none", kZeroIsNoneRules, R"({"a":0,"b":0})", "b: Required value"},
      {"a word that stops", kAWordThatStopsRules, R"({"a":"x."})",
       "a: Invalid value: \"x.\": a lowercase RFC 1123 label must consist of lower case "
       "alphanumeric "
       "characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name', "
       " or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"},
      {"none is a text too", kNoneIsATextTooRules, R"({"a":[{},{"n":""}]})",
       "a[1].n: Duplicate value: \"\""},
      {"apart from another list", kApartFromAnotherListRules,
       R"({"a":[{"n":"x"},{"n":"y"}],"b":[{"n":"y"}]})", "a[1].n: Invalid value: \"y\": taken"},
      {"among another list", kAmongAnotherListRules,
       R"({"a":[{"n":"x"},{"n":"y"},{"n":"z"}],"b":[{"n":"y"}],"c":["x"]})",
       "a[2].n: Not found: \"z\""},
      {"the first of several", kTheFirstOfSeveralRules, R"({"a":1,"b":2})", "b: Forbidden: one"},
      {"a number above", kANumberAboveRules, R"({"a":3})", "b: Required value"},
      {"a number not above", kANumberNotAboveRules, R"({"a":2})", ""},
      {"a detail with quotes", kADetailWithQuotesRules, "{}", "a: Required value: say \"it\""},
      {"unsupported as a whole", kUnsupportedAsAWholeRules, R"({"a":{"name":"z"}})",
       "a: Unsupported value: {\"Name\":\"z\"}: supported values: \"x\", \"y\""},
      {"as Go prints a type", kAsGoPrintsATypeRules, R"({"name":"x"})",
       "<nil>: Invalid value: {\"Name\":\"x\"}: no"},
      {"a long detail", kALongDetailRules, R"({"a":1})",
       "a: Forbidden: "
       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
       "xxxxxxxxxxxxxxxxxx"},
      {"numbers of any size", kNumbersOfAnySizeRules, R"({"a":-300,"b":-128})",
       "b: Invalid value: -128: too much"},
      {"numbers out of range", kNumbersOfAnySizeRules, R"({"a":2147483648,"b":-129})",
       "a: Invalid value: 2147483648: no"},
      {"a check in C++", kACheckInCppRules, R"({"a":[1,2]})",
       "a[1]: Invalid value: 2: is not the first"},
      {"a condition in C++", kAConditionInCppRules, R"({"a":[1,2]})",
       "a[1]: Forbidden: not the first"},
      {"a stop of one word", kAStopIsOfOneWordRules, R"({"a":1})",
       "[a: Invalid value: 1: not 2, a: Invalid value: 1: not 3]"},
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
  CHECK(faults(kRepeatedNamesRules, object) == "a[39].n: Duplicate value: \"x0\"");
  CHECK(faults(kRepeatedItemsRules, object) == R"(b[39]: Duplicate value: {"n":"x0"})");
  CHECK(faults(kApartFromLongListRules, object).starts_with("[a[0].n: Duplicate value"));
  CHECK(faults(kAmongLongListRules, object).empty());
}

TEST_CASE("rules: lines, and formats, by feature gates", "[registry]") {
  const auto gated = [](const std::map<std::string, bool>& chosen, std::string_view text) {
    const schema::FeatureGates gates(chosen);
    const Capabilities capabilities{.privileged = false, .gates = &gates};
    json::Arena arena;
    const json::Value object = codec::read_json(text, arena).value;
    field::ErrorList errors;
    kByGateRules.check(Write::kCreate, Field(object, errors, capabilities), nullptr);
    return field::aggregate(errors);
  };
  constexpr std::string_view kText = R"({"b":"010.0.0.1","c":"010.0.0.1/33"})";
  constexpr std::string_view kNoRange =
      "c: Invalid value: \"010.0.0.1/33\": must be a valid CIDR value, (e.g. 10.9.8.0/24 or "
      "2001:db8::/64)";
  CHECK(gated({}, kText) == kNoRange);
  CHECK(faults(kByGateRules, kText) == kNoRange);
  CHECK(gated({{"HPAScaleToZero", true}}, kText) ==
        "[a: Required value, " + std::string(kNoRange) + "]");
  CHECK(gated({{"StrictIPCIDRValidation", false}}, kText) == "");
  CHECK(gated({{"StrictIPCIDRValidation", false}}, R"({"b":"x"})") ==
        "b: Invalid value: \"x\": must be a valid IP address, (e.g. 10.9.8.7 or "
        "2001:db8::ffff)");
}

TEST_CASE("rules: lines for some writes only", "[registry]") {
  CHECK(faults(kByWriteRules, R"({"a":"x","b":1})").empty());
  CHECK(faults(kByWriteRules, R"({"a":"x","b":2})", R"({"b":1})", Write::kUpdate) ==
        "b: Invalid value: 2: field is immutable");
  CHECK(faults(kByWriteRules, R"({"a":"x"})", R"({"b":1})", Write::kUpdate) ==
        "b: Invalid value: null: field is immutable");
  CHECK(faults(kByWriteRules, "{}", "{}", Write::kStatus) == "c: Required value");
}

}  // namespace
}  // namespace tabernetes::registry::validation
