#include "codec/json_unknown.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/json_reader.h"
#include "codec/json_writer.h"

namespace tabernetes::codec {
namespace {

const schema::Type& definition_type() {
  const schema::Type* type = schema::Catalogue::built_in().find_kind("apiextensions.k8s.io", "v1",
                                                                     "CustomResourceDefinition");
  REQUIRE(type != nullptr);
  return *type;
}

UnknownFields find(std::string_view text, std::span<const std::string_view> also_known = {}) {
  json::Arena arena;
  const JsonRead read = read_json(text, arena);
  REQUIRE(read.ok());
  return find_unknown_members(definition_type(), read.value, also_known);
}

std::string add(const UnknownFields& unknown, std::string_view text) {
  json::Arena arena;
  const JsonRead read = read_json(text, arena);
  REQUIRE(read.ok());
  json::Value object = read.value;
  add_unknown_members(definition_type(), unknown, object, arena);
  std::string out;
  write_json(object, out);
  return out;
}

TEST_CASE("unknown members: an object without any", "[codec]") {
  CHECK(find(R"({"kind":"CustomResourceDefinition","metadata":{"name":"a"},"spec":{"group":"g"}})")
            .empty());
  CHECK(add({}, R"({"spec":{}})") == R"({"spec":{}})");
}

TEST_CASE("unknown members: of every level are in the object that replaces", "[codec]") {
  const UnknownFields unknown = find(
      R"({"new":1,"metadata":{"name":"a","new":2},"spec":{"new":{"a":[3]},"versions":[)"
      R"({"name":"v1","new":4,"schema":{"openAPIV3Schema":{"properties":{"p":{"new":5}}}}}]}})");
  CHECK(unknown.fields == R"({"new":1})");
  CHECK(unknown.below.size() == 2);
  CHECK(
      add(unknown,
          R"({"metadata":{"name":"a"},"spec":{"group":"g","versions":[{"name":"v0"},)"
          R"({"name":"v1","schema":{"openAPIV3Schema":{"properties":{"q":{},"p":{}}}}}]}})") ==
      R"({"metadata":{"name":"a","new":2},"spec":{"group":"g","versions":[{"name":"v0"},)"
      R"({"name":"v1","schema":{"openAPIV3Schema":{"properties":{"q":{},"p":{"new":5}}}},"new":4}],)"
      R"("new":{"a":[3]}},"new":1})");
}

TEST_CASE("unknown members: go with the object that they were in", "[codec]") {
  const UnknownFields unknown = find(R"({"spec":{"versions":[{"name":"v1","new":1}]}})");
  CHECK(add(unknown, R"({"spec":{"versions":[{"name":"v2"}]}})") ==
        R"({"spec":{"versions":[{"name":"v2"}]}})");
  CHECK(add(unknown, R"({"metadata":{}})") == R"({"metadata":{}})");
  CHECK(add(unknown, R"({"spec":{"versions":[{"name":"v1","new":2}]}})") ==
        R"({"spec":{"versions":[{"name":"v1","new":2}]}})");
}

TEST_CASE("unknown members: items of a list that cannot be told apart are left out", "[codec]") {
  CHECK(find(R"({"spec":{"versions":[{"name":"v1","new":1},{"name":"v1"},{"new":2}]}})").empty());
}

TEST_CASE("unknown members: names of an older version are known", "[codec]") {
  constexpr std::string_view kOld[] = {"version"};
  CHECK(find(R"({"spec":{"version":"v1"}})", kOld).empty());
  CHECK(!find(R"({"spec":{"version":"v1"}})").empty());
}

TEST_CASE("unknown members: bad values are no reason to fail", "[codec]") {
  CHECK(find(R"({"spec":[1],"metadata":null,"status":7})").empty());
  CHECK(find("[]").empty());
}

}  // namespace
}  // namespace tabernetes::codec
