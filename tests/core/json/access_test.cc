#include "json/access.h"

#include <catch2/catch_test_macros.hpp>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/fill.h"

namespace tabernetes::json {
namespace {

TEST_CASE("access: what is missing or of another type reads as empty, 0 or false", "[json]") {
  Arena arena;
  const Value object =
      codec::read_json(R"({"a":{"text":"x","number":7,"yes":true,"list":[1,2],"null":null,)"
                       R"("empty":"","map":{"k":1}}})",
                       arena)
          .value;
  CHECK(text_at(object, {"a", "text"}) == "x");
  CHECK(text_at(object, {"a", "number"}).empty());
  CHECK(text_at(object, {"b", "text"}).empty());
  CHECK(text_if_set(object, {"a", "empty"}, "unset").empty());
  CHECK(text_if_set(object, {"a", "null"}, "unset") == "unset");
  CHECK(number_at(object, {"a", "number"}) == 7);
  CHECK(number_at(object, {"a", "text"}) == 0);
  CHECK(bool_at(object, {"a", "yes"}));
  CHECK_FALSE(bool_at(object, {"a", "number"}));
  CHECK(items_at(object, {"a", "list"}).size() == 2);
  CHECK(items_at(object, {"a", "map"}).empty());
  CHECK(members_at(object, {"a", "map"}).size() == 1);
  CHECK(members_at(object, {"a", "list"}).empty());
  CHECK(has(object, {"a", "empty"}));
  CHECK_FALSE(has(object, {"a", "null"}));
  CHECK(object_in(object, "a") != nullptr);
  CHECK(object_in(*object.find("a"), "list") == nullptr);
  CHECK(items_in(*object.find("a"), "list").size() == 2);
  CHECK(text_of(static_cast<const Value*>(nullptr)).empty());
  CHECK(text_of(Value::integer(1)).empty());
}

TEST_CASE("access: a path leads through members and items", "[json]") {
  Arena arena;
  const Value object =
      codec::read_json(R"({"spec":{"list":[{"name":"a"},{"name":"b"}],"":1}})", arena).value;
  struct Case {
    std::string_view path, text;  // an empty text: it leads nowhere
  };
  static constexpr Case kCases[] = {
      {"spec.list.1.name", R"("b")"}, {"spec.list.2.name", ""}, {"spec.list.x", ""},
      {"spec.list.-1", ""},           {"spec.list.name", ""},   {"spec.list.0.name.x", ""},
      {"spec.missing", ""},           {"spec..x", ""},          {"spec.list.0", R"({"name":"a"})"},
  };
  for (const Case& c : kCases) {
    CAPTURE(c.path);
    const Value* found = follow(&object, c.path);
    CHECK((found == nullptr ? "" : codec::json_text(*found)) == c.text);
  }
  CHECK(follow(&object, "") == &object);
  CHECK(follow(nullptr, "spec") == nullptr);
}

TEST_CASE("access: numbers and strings have a text", "[json]") {
  Arena arena;
  const Value text = Value::string("25%"), integer = Value::integer(-3),
              real = Value::number(arena, 1.5, "1.50"), object = Value::object(arena);
  CHECK(scalar_text(&text) == "25%");
  CHECK(scalar_text(&integer) == "-3");
  CHECK(scalar_text(&real) == "1.50");
  CHECK(scalar_text(&object).empty());
  CHECK(scalar_text(nullptr).empty());
}

TEST_CASE("fill: what a client said stays, what it left out is filled in", "[json]") {
  Arena arena;
  Value object =
      codec::read_json(R"({"set":"x","null":null,"empty":"","zero":0,"list":[]})", arena).value;
  fill(object, "set", Value::string("y"), arena);
  fill(object, "null", Value::string("y"), arena);
  fill(object, "empty", Value::string("y"), arena);
  fill_int(object, "zero", 5, arena);
  fill_int(object, "new", 5, arena);
  CHECK(codec::json_text(object) ==
        R"({"set":"x","null":"y","empty":"","zero":0,"list":[],"new":5})");
  fill_text(object, "empty", "z", arena);
  fill_number(object, "zero", 6, arena);
  object_or_new(object, "list", arena).set(arena, "k", Value::boolean(true));
  CHECK(codec::json_text(object) ==
        R"({"set":"x","null":"y","empty":"z","zero":6,"list":{"k":true},"new":5})");
}

TEST_CASE("fill: a member is taken from another object, or away", "[json]") {
  Arena arena;
  Value to = codec::read_json(R"({"a":1,"b":2})", arena).value;
  const Value from = codec::read_json(R"({"a":3})", arena).value;
  take_member(to, from, "a", arena);
  take_member(to, from, "b", arena);
  take_member(to, from, "c", arena);
  CHECK(codec::json_text(to) == R"({"a":3})");
}

}  // namespace
}  // namespace tabernetes::json
