#include "patch/merge_patch.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "json/equality.h"
#include "vectors.h"

namespace tabernetes::patch {
namespace {

using json::Arena;
using json::Value;

TEST_CASE("merge patch: the vectors give what the real library gives", "[patch]") {
  Arena arena;
  for (const Value& c : read_vectors("merge-patch.json", arena).items()) {
    CAPTURE(c.string_at("name"));
    const Value &doc = *c.find("doc"), &patch = *c.find("patch");
    if (!patch.is_object()) continue;  // rejected before the library sees it, see below
    const std::string before = text_of(doc), patch_before = text_of(patch);
    const auto merged = apply_merge_patch(doc, patch, arena);
    CHECK(text_of(doc) == before);
    CHECK(text_of(patch) == patch_before);
    REQUIRE(merged);
    CHECK(json::deep_equal(*merged, *c.find("expected")));
  }
}

TEST_CASE("merge patch: what is no object is a bad request", "[patch]") {
  struct Case {
    std::string_view patch, message;
  };
  static constexpr Case kCases[] = {
      {"null", "Invalid JSON Patch"},
      {"[]",
       "error decoding patch: json: cannot unmarshal array into Go value of type "
       "map[string]interface {}"},
      {"\"text\"",
       "error decoding patch: json: cannot unmarshal string into Go value of type "
       "map[string]interface {}"},
      {"5",
       "error decoding patch: json: cannot unmarshal number into Go value of type "
       "map[string]interface {}"},
      {"true",
       "error decoding patch: json: cannot unmarshal bool into Go value of type "
       "map[string]interface {}"}};
  for (const Case& c : kCases) {
    Arena arena;
    const auto merged = apply_merge_patch(tree("{}", arena), tree(c.patch, arena), arena);
    REQUIRE_FALSE(merged);
    CHECK(merged.error() == errors::bad_request(c.message));
  }
}

TEST_CASE("merge patch: merged and pruned objects come out sorted, others as they were",
          "[patch]") {
  struct Case {
    std::string_view doc, patch, merged;
  };
  static constexpr Case kCases[] = {
      {R"({"z":{"b":1,"a":2},"y":{"b":1,"a":2}})", R"({"y":{"c":0},"x":{"e":{"g":1,"f":2},"d":1}})",
       R"({"x":{"d":1,"e":{"f":2,"g":1}},"y":{"a":2,"b":1,"c":0},"z":{"b":1,"a":2}})"},
      {R"({"b":{},"a":1})", R"({"b":[{"d":1,"c":null}]})", R"({"a":1,"b":[{"d":1,"c":null}]})"},
      {R"({"a":1})", R"({"b":2,"b":3,"a":null,"a":4})", R"({"a":4,"b":3})"}};
  for (const Case& c : kCases) {
    Arena arena;
    const auto merged = apply_merge_patch(tree(c.doc, arena), tree(c.patch, arena), arena);
    REQUIRE(merged);
    CHECK(text_of(*merged) == c.merged);
  }
}

TEST_CASE("merge patch: a deep patch needs no deep stack", "[patch]") {
  Arena arena;
  Value doc = Value::object(arena), patch = Value::object(arena);
  for (int i = 0; i < 100000; ++i) {
    Value outer_doc = Value::object(arena), outer_patch = Value::object(arena);
    outer_doc.set(arena, "a", doc);
    outer_patch.set(arena, "a", patch);
    doc = outer_doc;
    patch = outer_patch;
  }
  const auto merged = apply_merge_patch(doc, patch, arena);
  REQUIRE(merged);
  CHECK(json::deep_equal(*merged, doc));
  const auto made = apply_merge_patch(Value::object(arena), patch, arena);
  REQUIRE(made);
  CHECK(json::deep_equal(*made, patch));
}

}  // namespace
}  // namespace tabernetes::patch
