#include "patch/json_patch.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "json/equality.h"
#include "vectors.h"

namespace tabernetes::patch {
namespace {

using json::Arena;
using json::Value;

TEST_CASE("json patch: the vectors give what the real library gives", "[patch]") {
  Arena arena;
  for (const Value& c : read_vectors("json-patch.json", arena).items()) {
    CAPTURE(c.string_at("name"));
    const Value& doc = *c.find("doc");
    const std::string before = text_of(doc);
    const auto patched = apply_json_patch(doc, *c.find("patch"), arena, OperationTypes::kUnchecked);
    CHECK(text_of(doc) == before);
    if (const Value* expected = c.find("expected")) {
      REQUIRE(patched);
      CHECK(json::deep_equal(*patched, *expected));
    } else {
      REQUIRE_FALSE(patched);
      CHECK(patched.error().code == c.find("httpCode")->as_int());
      // Only for a patch that does not decode is the library's message shown.
      if (patched.error().code == 400) CHECK(patched.error().message == c.string_at("error"));
    }
  }
}

TEST_CASE("json patch: a patch that does not decode is a bad request", "[patch]") {
  struct Case {
    std::string_view patch, checked, unchecked;
  };
  static constexpr Case kCases[] = {
      {R"({"op":"add"})",
       "error decoding patch: json: cannot unmarshal object into Go value of type "
       "[]handlers.jsonPatchOp",
       "json: cannot unmarshal object into Go value of type jsonpatch.Patch"},
      {R"("x")",
       "error decoding patch: json: cannot unmarshal string into Go value of type "
       "[]handlers.jsonPatchOp",
       "json: cannot unmarshal string into Go value of type jsonpatch.Patch"},
      {"[1]",
       "error decoding patch: json: cannot unmarshal number into Go value of type "
       "handlers.jsonPatchOp",
       "json: cannot unmarshal number into Go value of type jsonpatch.Operation"},
      {R"([{"op":"test","path":"/a","value":1},{"op":5,"path":[]}])",
       "error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of "
       "type string",
       "the server rejected our request due to an error in our request"}};
  for (const Case& c : kCases) {
    CAPTURE(c.patch);
    Arena arena;
    const Value doc = tree(R"({"a":1})", arena), patch = tree(c.patch, arena);
    const auto checked = apply_json_patch(doc, patch, arena);
    REQUIRE_FALSE(checked);
    CHECK(checked.error() == errors::bad_request(c.checked));
    const auto unchecked = apply_json_patch(doc, patch, arena, OperationTypes::kUnchecked);
    REQUIRE_FALSE(unchecked);
    CHECK(unchecked.error().message == c.unchecked);
  }
}

TEST_CASE("json patch: what cannot be applied gets the general 422", "[patch]") {
  Arena arena;
  const auto failed = apply_json_patch(tree(R"({"a":1})", arena),
                                       tree(R"([{"op":"remove","path":"/b"}])", arena), arena);
  REQUIRE_FALSE(failed);
  CHECK(failed.error() == errors::unprocessable({}));
}

TEST_CASE("json patch: ten thousand operations are allowed", "[patch]") {
  Arena arena;
  const Value doc = tree(R"({"a":1})", arena);
  const Value operation = tree(R"({"op":"test","path":"/a","value":1})", arena);
  Value patch = Value::array(arena);
  for (int i = 0; i < 10000; ++i) patch.push_back(arena, operation);
  CHECK(apply_json_patch(doc, patch, arena));
  patch.push_back(arena, operation);
  const auto refused = apply_json_patch(doc, patch, arena);
  REQUIRE_FALSE(refused);
  CHECK(refused.error() == errors::request_entity_too_large(
                               "The allowed maximum operations in a JSON patch is 10000, got "
                               "10001"));
}

TEST_CASE("json patch: copies may add up to three mebibytes", "[patch]") {
  Arena arena;
  const std::string text(1024 * 1024 - 2, 'x');  // one mebibyte with its quotes
  Value doc = Value::object(arena);
  doc.set(arena, "a", Value::string(text));
  Value patch = Value::array(arena);
  const Value copy = tree(R"({"op":"copy","from":"/a","path":"/b"})", arena);
  for (int i = 0; i < 3; ++i) patch.push_back(arena, copy);
  CHECK(apply_json_patch(doc, patch, arena));
  doc.set(arena, "c", Value::null());
  patch.push_back(arena, tree(R"({"op":"copy","from":"/none","path":"/c"})", arena));
  CHECK(apply_json_patch(doc, patch, arena));
  patch.push_back(arena, tree(R"({"op":"copy","from":"/d","path":"/c"})", arena));
  doc.set(arena, "d", Value::boolean(true));
  CHECK_FALSE(apply_json_patch(doc, patch, arena));
}

TEST_CASE("json patch: objects that operations pass come out sorted, others as they were",
          "[patch]") {
  struct Case {
    std::string_view doc, patch, patched;
  };
  static constexpr Case kCases[] = {
      {R"({"z":{"b":1,"a":2},"c":{"b":1,"a":2}})",
       R"([{"op":"add","path":"/c/0","value":{"y":1,"x":2}}])",
       R"({"c":{"0":{"y":1,"x":2},"a":2,"b":1},"z":{"b":1,"a":2}})"},
      {R"({"b":[{"d":1,"c":2}],"a":1})", R"([{"op":"replace","path":"/b/0/d","value":3}])",
       R"({"a":1,"b":[{"c":2,"d":3}]})"},
      {R"({"b":{"d":[{"f":1,"e":2}],"c":3},"a":{"h":1,"g":2}})",
       R"([{"op":"test","path":"/b","value":{"c":3,"d":[{"e":2,"f":1}]}}])",
       R"({"a":{"h":1,"g":2},"b":{"c":3,"d":[{"e":2,"f":1}]}})"},
      {R"({"b":1,"a":2})", "[]", R"({"a":2,"b":1})"},
      {R"({"b":1,"a":2})", "null", R"({"b":1,"a":2})"}};
  for (const Case& c : kCases) {
    Arena arena;
    const auto patched = apply_json_patch(tree(c.doc, arena), tree(c.patch, arena), arena);
    REQUIRE(patched);
    CHECK(text_of(*patched) == c.patched);
  }
}

TEST_CASE("json patch: an operation's value is not changed by later ones", "[patch]") {
  Arena arena;
  constexpr std::string_view kPatch =
      R"([{"op":"add","path":"/a","value":{"x":[]}},{"op":"add","path":"/a/x/-","value":1},)"
      R"({"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/x/-","value":2}])";
  const Value patch = tree(kPatch, arena);
  const auto patched = apply_json_patch(tree("{}", arena), patch, arena);
  REQUIRE(patched);
  CHECK(text_of(*patched) == R"({"a":{"x":[1]},"b":{"x":[1,2]}})");
  CHECK(text_of(patch) == kPatch);
}

TEST_CASE("json patch: where the real server crashes we answer 500", "[patch]") {
  static constexpr std::string_view kPatches[] = {R"([{"op":"replace","path":""}])",
                                                  R"([{"op":"test","path":""}])",
                                                  R"([{"op":"test","path":"/l","value":[1,null]}])",
                                                  R"([{"op":"test","path":"/n","value":[1,2]}])"};
  for (const std::string_view patch : kPatches) {
    CAPTURE(patch);
    Arena arena;
    const auto patched =
        apply_json_patch(tree(R"({"l":[1,2],"n":[1,null]})", arena), tree(patch, arena), arena);
    REQUIRE_FALSE(patched);
    CHECK(patched.error().code == 500);
  }
}

TEST_CASE("json patch: unknown and double members are reported", "[patch]") {
  Arena arena;
  const Value patch = tree(
      R"([{"op":"a","zz":1,"path":"","op":"b","zz":2},null,{"from":"","value":{},"y":1}])", arena);
  CHECK(json_patch_strict_errors(patch) ==
        std::vector<std::string>{R"(json patch unknown field "[0].zz")",
                                 R"(json patch duplicate field "[0].op")",
                                 R"(json patch unknown field "[2].y")"});
  CHECK(json_patch_strict_errors(tree("{}", arena)).empty());
}

}  // namespace
}  // namespace tabernetes::patch
