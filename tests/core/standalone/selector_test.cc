#include <catch2/catch_test_macros.hpp>

#include "../faults.h"
#include "tabernetes/standalone.h"

namespace tabernetes {
namespace {

using Values = std::vector<std::pair<std::string_view, std::string_view>>;

TEST_CASE("selector: the terms of a label selector, sorted by key", "[server]") {
  const auto parsed =
      parse_selector(SelectorKind::kLabels, "tier notin (web,db), app==shop,!old,new,n>3");
  REQUIRE(parsed);
  CHECK(parsed->canonical == "app==shop,n>3,new,!old,tier notin (db,web)");
  REQUIRE(parsed->terms.size() == 5);
  const std::string_view ops[] = {"==", "gt", "exists", "!", "notin"};
  for (std::size_t i = 0; i < 5; ++i) CHECK(parsed->terms[i].op == ops[i]);
  CHECK(parsed->terms[4].key == "tier");
  CHECK(parsed->terms[4].values == std::vector<std::string>{"db", "web"});
}

TEST_CASE("selector: the terms of a field selector, unescaped", "[server]") {
  const auto parsed = parse_selector(SelectorKind::kFields, R"(spec.x!=a\,b,metadata.name==n)");
  REQUIRE(parsed);
  CHECK(parsed->canonical == R"(metadata.name=n,spec.x!=a\,b)");
  REQUIRE(parsed->terms.size() == 2);
  CHECK(parsed->terms[1].key == "spec.x");
  CHECK(parsed->terms[1].op == "!=");
  CHECK(parsed->terms[1].values == std::vector<std::string>{"a,b"});
}

TEST_CASE("selector: mistakes have the server's words wherever they are met", "[server]") {
  const std::string labels =
      "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt";
  CHECK(tests::message_of(parse_selector(SelectorKind::kLabels, "a b")) == labels);
  CHECK(tests::message_of(match_values(SelectorKind::kLabels, "a b", {})) == labels);
  const std::string fields = "invalid selector: 'foo'; can't understand 'foo'";
  CHECK(tests::message_of(parse_selector(SelectorKind::kFields, "foo")) == fields);
  CHECK(tests::message_of(match_values(SelectorKind::kFields, "foo", {})) == fields);
  CHECK(tests::message_of(match_fields_of("foo", "{}")) == fields);
}

TEST_CASE("selector: values by name", "[server]") {
  const Values values = {{"app", "shop"}, {"n", "4"}};
  CHECK(*match_values(SelectorKind::kLabels, "app in (shop),n>3,!old", values));
  CHECK_FALSE(*match_values(SelectorKind::kLabels, "n<4", values));
  CHECK(*match_values(SelectorKind::kFields, "app=shop,other=", values));
  CHECK_FALSE(*match_values(SelectorKind::kFields, "app!=shop", values));
}

TEST_CASE("selector: the fields of an object are those of its resource", "[server]") {
  const std::string pod =
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"n"},)"
      R"("spec":{"nodeName":"node-1"},"status":{"podIPs":[{"ip":"10.0.0.1"}]}})";
  struct Case {
    std::string_view selector;
    bool matches;
    std::string_view error;
  };
  const Case cases[] = {
      {"spec.host=node-1", true, ""},
      {"status.podIP=10.0.0.1,spec.hostNetwork=false", true, ""},
      {"metadata.name!=a", false, ""},
      {"spec.color=red", false, "field label not supported: spec.color"},
  };
  for (const Case& c : cases) {
    DYNAMIC_SECTION(c.selector) {
      const auto match = match_fields_of(c.selector, pod);
      CHECK(tests::message_of(match) == c.error);
      if (match) CHECK(*match == c.matches);
    }
  }
}

TEST_CASE("selector: without a known kind fields are paths", "[server]") {
  CHECK(*match_fields_of("spec.color=red,spec.size=3,spec.new=true",
                         R"({"spec":{"color":"red","size":3,"new":true}})"));
  CHECK(*match_fields_of("spec.color=", R"({"apiVersion":"x/v1","kind":"Y"})"));
  CHECK(*match_fields_of("a=", "[]"));
  CHECK(tests::message_of(match_fields_of("a=", "{")) == "unexpected end of JSON input");
}

}  // namespace
}  // namespace tabernetes
