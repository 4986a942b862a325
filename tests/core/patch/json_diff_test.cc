#include "patch/json_diff.h"

#include <catch2/catch_test_macros.hpp>

#include "json/equality.h"
#include "patch/json_patch.h"
#include "vectors.h"

namespace tabernetes::patch {
namespace {

struct Case {
  std::string_view before, after, patch;
};

constexpr Case kCases[] = {
    {R"({"a":1})", R"({"a":1})", "[]"},
    {R"({"a":1,"b":2})", R"({"b":2,"a":1})", "[]"},
    {R"({"a":1})", R"({"a":2})", R"([{"op":"replace","path":"/a","value":2}])"},
    {R"({"a":1})", R"({"b":[]})",
     R"([{"op":"remove","path":"/a"},{"op":"add","path":"/b","value":[]}])"},
    {R"({"x":{"a/b":1,"c~d":2}})", R"({"x":{"c~d":3}})",
     R"([{"op":"remove","path":"/x/a~1b"},{"op":"replace","path":"/x/c~0d","value":3}])"},
    {R"({"l":[{"n":1},2]})", R"({"l":[{"n":2},2,3]})",
     R"([{"op":"replace","path":"/l/0/n","value":2},{"op":"add","path":"/l/2","value":3}])"},
    {R"({"l":[1,2,3]})", R"({"l":[1]})",
     R"([{"op":"remove","path":"/l/2"},{"op":"remove","path":"/l/1"}])"},
    {R"({"a":{"b":1}})", R"({"a":[1]})", R"([{"op":"replace","path":"/a","value":[1]}])"},
    {R"({"a":null})", R"({"a":{}})", R"([{"op":"replace","path":"/a","value":{}}])"},
};

TEST_CASE("json diff: the patch leads from one value to the other", "[patch]") {
  for (const Case& c : kCases) {
    CAPTURE(c.before, c.after);
    json::Arena arena;
    const json::Value before = tree(c.before, arena);
    const json::Value after = tree(c.after, arena);
    const json::Value patch = json_diff(before, after, arena);
    CHECK(text_of(patch) == c.patch);
    const auto patched = apply_json_patch(before, patch, arena);
    REQUIRE(patched);
    CHECK(json::deep_equal(*patched, after));
  }
}

}  // namespace
}  // namespace tabernetes::patch
