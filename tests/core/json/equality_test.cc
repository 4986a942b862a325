#include "json/equality.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>

namespace tabernetes::json {
namespace {

TEST_CASE("equality: numbers compare by value, without rounding", "[json]") {
  struct Case {
    std::int64_t integer;
    double real;
    bool equal;
  };
  static constexpr Case kCases[] = {{1, 1.0, true},
                                    {1, 1.5, false},
                                    {0, -0.0, true},
                                    {9007199254740993, 9007199254740992.0, false},
                                    {INT64_MAX, 9223372036854775808.0, false},
                                    {INT64_MIN, -9223372036854775808.0, true},
                                    {0, 1e300, false},
                                    {0, -1e300, false}};
  Arena arena;
  for (const Case& c : kCases) {
    CAPTURE(c.integer, c.real);
    CHECK(deep_equal(Value::integer(c.integer), Value::number(arena, c.real)) == c.equal);
    CHECK(deep_equal(Value::number(arena, c.real), Value::integer(c.integer)) == c.equal);
  }
  CHECK(deep_equal(Value::number(arena, 1.5, "1.5"), Value::number(arena, 1.5, "15e-1")));
  CHECK_FALSE(deep_equal(Value::number(arena, 1.5), Value::number(arena, 1.25)));
}

TEST_CASE("equality: values of different types differ", "[json]") {
  Arena arena;
  const Value values[] = {
      Value::null(),     Value::boolean(false),    Value::boolean(true), Value::integer(0),
      Value::string(""), Value::string("0"),       Value::object(arena), Value::array(arena),
      Value::integer(1), Value::number(arena, 2.5)};
  for (const Value& a : values) {
    for (const Value& b : values) CHECK(deep_equal(a, b) == (&a == &b));
  }
}

TEST_CASE("equality: the order of members does not count, that of items does", "[json]") {
  Arena arena;
  Value ab = Value::object(arena), ba = Value::object(arena), ac = Value::object(arena);
  ab.append(arena, "a", Value::integer(1));
  ab.append(arena, "b", Value::integer(2));
  ba.append(arena, "b", Value::integer(2));
  ba.append(arena, "a", Value::integer(1));
  ac.append(arena, "a", Value::integer(1));
  ac.append(arena, "c", Value::integer(2));
  CHECK(deep_equal(ab, ba));
  CHECK_FALSE(deep_equal(ab, ac));

  Value list = Value::array(arena), reversed = Value::array(arena), longer = Value::array(arena);
  list.push_back(arena, ab);
  list.push_back(arena, Value::null());
  reversed.push_back(arena, Value::null());
  reversed.push_back(arena, ba);
  longer.push_back(arena, ba);
  longer.push_back(arena, Value::null());
  CHECK(deep_equal(list, longer));
  CHECK_FALSE(deep_equal(list, reversed));
  longer.push_back(arena, Value::null());
  CHECK_FALSE(deep_equal(list, longer));
}

TEST_CASE("equality: a shallow copy shares its content, a clone does not", "[json]") {
  Arena arena;
  Value list = Value::array(arena);
  list.push_back(arena, Value::integer(1));
  Value object = Value::object(arena);
  object.append(arena, "list", list);
  const Value copy = object.shallow_copy(arena);
  const Value clone = object.clone(arena);
  CHECK_FALSE(shares_content(object, copy));
  CHECK(shares_content(*object.find("list"), *copy.find("list")));
  CHECK_FALSE(shares_content(*object.find("list"), *clone.find("list")));
  CHECK(shares_content(object, object));
  CHECK(deep_equal(object, copy));
  CHECK(deep_equal(object, clone));
}

}  // namespace
}  // namespace tabernetes::json
