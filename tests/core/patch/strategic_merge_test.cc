#include "patch/strategic_merge.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "json/equality.h"
#include "json/go_format.h"
#include "vectors.h"

namespace tabernetes::patch {
namespace {

using json::Arena;
using json::Value;

// Parses "apps/v1/Deployment", "v1/Pod".
const schema::Type& type_of(std::string_view name) {
  const std::size_t kind = name.rfind('/');
  const std::size_t group = name.find('/');
  const bool core = group == kind;
  const schema::Type* type = schema::Catalogue::built_in().find_kind(
      core ? "" : name.substr(0, group),
      core ? name.substr(0, kind) : name.substr(group + 1, kind - group - 1),
      name.substr(kind + 1));
  REQUIRE(type != nullptr);
  return *type;
}

std::string merged(std::string_view type, std::string_view live, std::string_view patch) {
  Arena arena;
  const auto result =
      apply_strategic_merge(type_of(type), tree(live, arena), tree(patch, arena), arena);
  return result ? text_of(*result)
                : std::to_string(result.error().code) + " " + result.error().message;
}

TEST_CASE("strategic merge: the vectors give what the real library gives", "[patch]") {
  Arena arena;
  for (const Value& c : read_vectors("strategic-merge-patch.json", arena).items()) {
    CAPTURE(c.string_at("name"));
    const Value &live = *c.find("original"), &patch = *c.find("patch");
    const std::string before = text_of(live), patch_before = text_of(patch);
    const auto result = apply_strategic_merge(type_of(c.string_at("type")), live, patch, arena);
    CHECK(text_of(live) == before);
    CHECK(text_of(patch) == patch_before);
    if (const Value* expected = c.find("expected")) {
      REQUIRE(result);
      CAPTURE(text_of(*result), text_of(*expected));
      CHECK(json::deep_equal(*result, *expected));
      continue;
    }
    REQUIRE_FALSE(result);
    CHECK(result.error().code == c.find("httpCode")->as_int());
    // A 422 has the server's general message instead of the library's.
    CHECK(result.error() == (result.error().code == 422 ? errors::unprocessable("")
                             : result.error().code == 400
                                 ? errors::bad_request(c.string_at("error"))
                                 : errors::plain_error(c.string_at("error"))));
  }
}

TEST_CASE("strategic merge: a patch that is no object", "[patch]") {
  CHECK(merged("v1/Pod", R"({"spec":{"nodeName":"n"}})", "null") == R"({"spec":{"nodeName":"n"}})");
  constexpr std::string_view kRest = " into Go value of type map[string]interface {}";
  CHECK(merged("v1/Pod", "{}", "[]") == "400 json: cannot unmarshal array" + std::string(kRest));
  CHECK(merged("v1/Pod", "{}", "\"x\"") ==
        "400 json: cannot unmarshal string" + std::string(kRest));
  CHECK(merged("v1/Pod", "{}", "1") == "400 json: cannot unmarshal number" + std::string(kRest));
}

TEST_CASE("strategic merge: items of one key are merged one after the other", "[patch]") {
  CHECK(merged("v1/Pod",
               R"({"spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":"1"}}}]}})",
               R"({"spec":{"containers":[
                 {"name":"a","image":"x","resources":{"limits":{"memory":"1"}}},
                 {"name":"a","image":"y","resources":{"$patch":"replace","requests":{"cpu":"2"}}},
                 {"name":"a","resources":{"requests":{"memory":"3"}}}]}})") ==
        R"({"spec":{"containers":[{"image":"y","name":"a","resources":)"
        R"({"requests":{"cpu":"2","memory":"3"}}}]}})");
}

TEST_CASE("strategic merge: an ordered list is merged and then sorted", "[patch]") {
  CHECK(merged("v1/Pod", R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b"}]}})",
               R"({"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],)"
               R"("containers":[{"name":"a","image":"2"}]}})") ==
        R"({"spec":{"containers":[{"name":"b"},{"image":"2","name":"a"}]}})");
}

TEST_CASE("strategic merge: what the schema knows nothing of", "[patch]") {
  CHECK(merged("v1/Pod", R"({"metadata":{"labels":{"a":{}}}})",
               R"({"metadata":{"labels":{"a":{"b":1}}}})") ==
        "500 merging an object in json but data type is not struct, instead is: map");
  CHECK(merged("apps/v1/ControllerRevision", R"({"data":{"spec":{"a":1}}})",
               R"({"data":{"spec":{"b":1}}})") ==
        "500 unable to find api field in struct RawExtension for the json field \"spec\"");
}

TEST_CASE("strategic merge: large lists and deep patches take no long time and no deep stack",
          "[patch]") {
  std::string items, containers;
  for (int i = 0; i < 50'000; ++i) {
    items += (i ? "," : "") + std::string("\"f") + std::to_string(i) + "\"";
    containers += (i ? "," : "") + std::string("{\"name\":\"c") + std::to_string(i) + "\"}";
  }
  const std::string finalizers = R"({"metadata":{"finalizers":[)" + items + "]}}";
  CHECK(merged("v1/Pod", finalizers, finalizers) == finalizers);
  const std::string pod = R"({"spec":{"containers":[)" + containers + "]}}";
  CHECK(merged("v1/Pod", pod, pod) == pod);

  std::string deep;
  for (int i = 0; i < 9'990; ++i) deep += "{\"a\":";
  deep += "1" + std::string(9'990, '}');
  CHECK(merged("v1/Pod", "{}", R"({"x":)" + deep + "}") == R"({"x":)" + deep + "}");
}

TEST_CASE("go_format: as fmt prints maps, lists and scalars", "[patch]") {
  Arena arena;
  CHECK(json::go_format(tree(R"({"b":[1,"x",null,[]],"a":{"c":true,"":1.5e20},"d":{}})", arena)) ==
        "map[a:map[:1.5e+20 c:true] b:[1 x <nil> []] d:map[]]");
}

}  // namespace
}  // namespace tabernetes::patch
