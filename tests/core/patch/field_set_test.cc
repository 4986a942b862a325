#include "patch/field_set.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "json/equality.h"
#include "vectors.h"

namespace tabernetes::patch {
namespace {

using json::Arena;
using json::Value;

// Returns nullopt if the text is not FieldsV1. The sets view static storage, which is never freed.
std::optional<FieldSet> set_of(std::string_view text) {
  static Arena arena;
  const codec::JsonRead read = codec::read_json(text, arena);
  if (!read.ok()) return std::nullopt;
  return FieldSet::from_fields_v1(read.value);
}

std::string canonical(const FieldSet& set) {
  Arena arena;
  return text_of(set.to_fields_v1(arena));
}

std::vector<std::string> paths_of(const FieldSet& set) {
  std::vector<std::string> paths;
  set.for_each([&](const Path& path) { paths.push_back(path_text(path)); });
  return paths;
}

FieldSet combined(std::string_view op, const FieldSet& a, const FieldSet& b) {
  if (op == "intersection") return a.intersected(b);
  if (op == "difference") return a.without(b);
  REQUIRE(op == "union");
  return a.united(b);
}

TEST_CASE("field set: the vectors give what the real library gives", "[patch]") {
  Arena arena;
  for (const Value& c : read_vectors("fieldsv1.json", arena).items()) {
    CAPTURE(c.string_at("name"));
    const auto a = set_of(c.string_at("a"));
    if (c.find("error") != nullptr) {
      CHECK_FALSE(a);
      continue;
    }
    REQUIRE(a);
    const std::string_view op = c.string_at("op");
    // upstream's purpose for it is covered by ResetFields.
    if (op == "recursiveDifference") continue;
    const Value& expected = *c.find("expected");
    if (op == "paths") {
      std::vector<std::string> wanted;
      for (const Value& path : expected.items()) wanted.emplace_back(path.as_string());
      CHECK(paths_of(*a) == wanted);
    } else if (op == "canonical") {
      // The library omits the escapes in field names that our writer puts into all strings.
      const std::string text = canonical(*a);
      CAPTURE(text);
      CHECK(json::deep_equal(tree(text, arena), tree(expected.as_string(), arena)));
      if (expected.as_string().find("f:<") == std::string_view::npos &&
          expected.as_string().find("u0026") == std::string_view::npos) {
        CHECK(text == expected.as_string());
      }
    } else {
      CHECK(canonical(combined(op, *a, *set_of(c.string_at("b")))) == expected.as_string());
    }
  }
}

TEST_CASE("field set: what is read, written and read again is the same", "[patch]") {
  const auto set = set_of(R"({"f:a":{".":{},"f:b":{"v:\"<x>\"":{},"v:null":{},"v:[1]":{}}}})");
  REQUIRE(set);
  CHECK(*set_of(canonical(*set)) == *set);
  CHECK(set->has({PathElement::field("a")}));
  CHECK_FALSE(set->has({PathElement::field("a"), PathElement::field("b")}));
  CHECK_FALSE(set->has({}));
}

TEST_CASE("field set: the laws of sets", "[patch]") {
  const FieldSet a = *set_of(R"({"f:m":{".":{},"f:x":{}},"f:n":{"k:{\"a\":1}":{}}})");
  const FieldSet b = *set_of(R"({"f:m":{"f:x":{},"f:y":{}},"f:n":{}})");
  CHECK(a.united(b) == b.united(a));
  CHECK(a.intersected(b) == b.intersected(a));
  CHECK(a.without(b).united(a.intersected(b)) == a);
  CHECK(a.without(a).empty());
  FieldSet built;
  a.for_each([&](const Path& path) { built.insert(path); });
  CHECK(built == a);
}

TEST_CASE("field set: as deep as objects are, and no deeper", "[patch]") {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += "{\"f:a\":";
    return text + "{}" + std::string(static_cast<std::size_t>(depth), '}');
  };
  CHECK(set_of(nested(FieldSet::kMaxDepth)));
  CHECK_FALSE(set_of(nested(FieldSet::kMaxDepth + 1)));
  CHECK_FALSE(set_of(nested(9'000)));
}

}  // namespace
}  // namespace tabernetes::patch
