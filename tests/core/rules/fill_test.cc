#include "rules/fill.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/json_reader.h"
#include "codec/json_writer.h"

namespace tabernetes::registry::validation {
namespace {

void name_it(json::Value& place, json::Arena& arena) {
  place.set(arena, "name", json::Value::string("it"));
}

std::string filled(std::string_view rules, std::string_view object) {
  static constexpr NamedRules kPorts[] = {{"ports", "port number=80\n"}, {}};
  static constexpr const NamedRules* kShared[] = {kPorts};
  static constexpr NamedFill kFills[] = {{"name-it", &name_it}};
  static constexpr Vocabulary kWords{{}, {}, kShared, kFills};
  json::Arena arena;
  json::Value value = codec::read_json(object, arena).value;
  fill_in(kWords, rules, value, arena);
  std::string out;
  codec::write_json(value, out);
  return out;
}

TEST_CASE("fill: missing members are filled in", "[rules]") {
  struct Case {
    std::string_view name, rules, object, filled;
  };
  static constexpr Case kCases[] = {
      {"a text where nothing is", "a fill=x\n", "{}", R"({"a":"x"})"},
      {"nothing where something is", "a fill=x\n", R"({"a":""})", R"({"a":""})"},
      {"a default also for an empty text", "a default=x\n", R"({"a":""})", R"({"a":"x"})"},
      {"a number for 0", "a number=3\n", R"({"a":0})", R"({"a":3})"},
      {"no number for another", "a number=3\n", R"({"a":1})", R"({"a":1})"},
      {"a flag", "a fill=false\n", "{}", R"({"a":false})"},
      {"JSON", "a fill={}\n", "{}", R"({"a":{}})"},
      {"several members", "a,b fill=1\n", R"({"b":2})", R"({"b":2,"a":1})"},
      {"an object that is made", "a made\n b fill=1\n", "{}", R"({"a":{"b":1}})"},
      {"nothing in one that is not there", "a given\n b fill=1\n", "{}", "{}"},
      {"each item", "a[].b fill=1\n", R"({"a":[{},{"b":2}]})", R"({"a":[{"b":1},{"b":2}]})"},
      {"where a condition holds", "?a=x\n b fill=1\n", R"({"a":"x"})", R"({"a":"x","b":1})"},
      {"where it does not", "?a=x\n b fill=1\nelse\n b fill=2\n", R"({"a":"y"})",
       R"({"a":"y","b":2})"},
      {"after what was filled in", "a fill=x\n?a=x\n b fill=1\n", "{}", R"({"a":"x","b":1})"},
      {"rules of another name", "a[] &ports\n", R"({"a":[{}]})", R"({"a":[{"port":80}]})"},
      {"what is more than a word", "a made @name-it\n", "{}", R"({"a":{"name":"it"}})"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) { CHECK(filled(c.rules, c.object) == c.filled); }
  }
}

}  // namespace
}  // namespace tabernetes::registry::validation
