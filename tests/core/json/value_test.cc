#include "json/value.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "json/equality.h"
#include "json/key_hash.h"

namespace tabernetes::json {
namespace {

// Prints the members of an object of integers in order: "a=1 b=2".
std::string shown(const Value& object) {
  std::string out;
  for (const Member& member : object.members()) {
    if (!out.empty()) out += ' ';
    out += std::string(member.key) + "=" + std::to_string(member.value.as_int());
  }
  return out;
}

Value object_of(Arena& arena, std::initializer_list<std::pair<std::string_view, int>> members) {
  Value object = Value::object(arena);
  for (const auto& [key, value] : members) object.append(arena, key, Value::integer(value));
  return object;
}

TEST_CASE("value: a Value stays as small as two words", "[json]") { CHECK(sizeof(Value) == 16); }

TEST_CASE("value: set keeps the place of a member and appends a new one", "[json]") {
  Arena arena;
  Value object = object_of(arena, {{"a", 1}, {"b", 2}});
  object.set(arena, "a", Value::integer(3));
  object.set(arena, "c", Value::integer(4));
  CHECK(shown(object) == "a=3 b=2 c=4");
}

TEST_CASE("value: of a key that stands twice the last one is found and both are erased", "[json]") {
  Arena arena;
  Value object = object_of(arena, {{"a", 1}, {"b", 2}, {"a", 3}, {"c", 4}});
  REQUIRE(object.find("a"));
  CHECK(object.find("a")->as_int() == 3);
  CHECK(object.erase("a"));
  CHECK_FALSE(object.erase("a"));
  CHECK(shown(object) == "b=2 c=4");
}

TEST_CASE("value: find answers null where there is nothing", "[json]") {
  Arena arena;
  CHECK(Value::null().find("a") == nullptr);
  CHECK(Value::array(arena).find("a") == nullptr);
  CHECK(Value::object(arena).find("a") == nullptr);
}

TEST_CASE("value: a large object behaves as a map, whatever the order of changes", "[json]") {
  Arena arena;
  Value object = Value::object(arena);
  std::map<std::string, int> expected;
  std::vector<std::string> keys;
  for (int i = 0; i < 300; ++i) keys.push_back("key-" + std::to_string(i));

  std::uint32_t random = 1;
  for (int step = 0; step < 20000; ++step) {
    random = random * 1664525 + 1013904223;
    const std::string& key = keys[(random >> 8) % keys.size()];
    // In the first half of each 4000 steps two thirds add, in the second two thirds erase.
    const bool add = (random >> 24) % 3 != (step / 2000 % 2 == 0 ? 0u : 1u) || (random >> 28) == 0;
    if (add && step / 2000 % 2 == 0) {
      object.set(arena, key, Value::integer(step));
      expected[key] = step;
    } else {
      CHECK(object.erase(key) == (expected.erase(key) == 1));
    }
    const Value* found = object.find(key);
    REQUIRE((found != nullptr) == expected.contains(key));
    if (found != nullptr) REQUIRE(found->as_int() == expected[key]);
    REQUIRE(object.size() == expected.size());
  }
  for (const std::string& key : keys) {
    const Value* found = object.find(key);
    REQUIRE((found != nullptr) == expected.contains(key));
    if (found != nullptr) CHECK(found->as_int() == expected[key]);
  }
}

TEST_CASE("value: keys that were chosen to meet in the index do not slow it down", "[json]") {
  constexpr int kCount = 2000;
  constexpr std::uint32_t kMask = 4095;  // all of them collide in an index of this size
  Arena arena;
  std::vector<std::string> keys;
  for (int i = 0; keys.size() < kCount; ++i) {
    std::string key = "key-" + std::to_string(i);
    if ((hash_key(key, 0) & kMask) == 0) keys.push_back(std::move(key));
  }
  Value appended = Value::object(arena);
  for (int i = 0; i < kCount; ++i) appended.append(arena, keys[i], Value::integer(i));
  for (const Value& object : {appended, appended.clone(arena)}) {
    for (int i = 0; i < kCount; ++i) {
      REQUIRE(object.find(keys[i]));
      CHECK(object.find(keys[i])->as_int() == i);
    }
  }
  // With the next seed they spread.
  std::set<std::uint32_t> slots;
  for (const std::string& key : keys) slots.insert(hash_key(key, 1) & kMask);
  CHECK(slots.size() > kCount / 2);
}

TEST_CASE("value: the last of equal keys is found in a large object too", "[json]") {
  Arena arena;
  std::vector<std::string> keys;
  for (int i = 0; i < 50; ++i) keys.push_back(std::to_string(i));
  Value object = Value::object(arena);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 50; ++i) object.append(arena, keys[i], Value::integer(100 * round + i));
  }
  CHECK(object.size() == 100);
  CHECK(object.find("7")->as_int() == 107);
  CHECK(object.erase("7"));
  CHECK(object.size() == 98);
  CHECK(object.find("7") == nullptr);
  CHECK(object.find("8")->as_int() == 108);
  CHECK(object.find("49")->as_int() == 149);
}

TEST_CASE("value: reserved members move no more and are found", "[json]") {
  Arena arena;
  Value object = Value::object(arena);
  object.reserve(arena, 100);
  std::vector<std::string> keys;
  for (int i = 0; i < 100; ++i) keys.push_back(std::to_string(i));
  object.append(arena, keys[0], Value::integer(0));
  const Value* first = object.find("0");
  for (int i = 1; i < 100; ++i) object.append(arena, keys[i], Value::integer(i));
  CHECK(object.find("0") == first);
  CHECK(object.find("99")->as_int() == 99);
}

TEST_CASE("value: members cleared are gone and new ones can come", "[json]") {
  Arena arena;
  Value object = object_of(arena, {{"a", 1}});
  object.clear_members();
  CHECK(object.size() == 0);
  CHECK(object.find("a") == nullptr);
  object.append(arena, "b", Value::integer(2));
  CHECK(shown(object) == "b=2");
}

TEST_CASE("value: sorted members are found where they went", "[json]") {
  Arena arena;
  Value small = object_of(arena, {{"b", 1}, {"a", 2}, {"b", 3}, {"", 4}, {"B", 5}});
  small.sort_members();
  CHECK(shown(small) == "=4 B=5 a=2 b=1 b=3");

  Value large = Value::object(arena);
  for (int i = 99; i >= 0; --i) {
    large.append(arena, arena.copy(std::to_string(i)), Value::integer(i));
  }
  large.sort_members();
  CHECK(large.members()[2].key == "10");
  for (int i = 0; i < 100; ++i) {
    REQUIRE(large.find(std::to_string(i)));
    CHECK(large.find(std::to_string(i))->as_int() == i);
  }
}

TEST_CASE("value: items are inserted and erased anywhere", "[json]") {
  Arena arena;
  Value array = Value::array(arena);
  for (int i = 0; i < 5; ++i) array.push_back(arena, Value::integer(i));
  array.insert(arena, 0, Value::integer(10));
  array.insert(arena, 3, Value::integer(11));
  array.insert(arena, 7, Value::integer(12));
  array.erase_item(1);
  std::string shown_items;
  for (const Value& item : array.items()) shown_items += std::to_string(item.as_int()) + " ";
  CHECK(shown_items == "10 1 11 2 3 4 12 ");
}

TEST_CASE("value: a path is followed through objects only", "[json]") {
  Arena arena;
  Value inner = Value::object(arena);
  inner.set(arena, "name", Value::string("web"));
  Value object = Value::object(arena);
  object.set(arena, "metadata", inner);
  object.set(arena, "n", Value::integer(1));
  REQUIRE(object.at({"metadata", "name"}));
  CHECK(object.at({"metadata", "name"})->as_string() == "web");
  CHECK(object.at({"metadata", "none"}) == nullptr);
  CHECK(object.at({"n", "name"}) == nullptr);
  CHECK(inner.string_at("name") == "web");
  CHECK(object.string_at("n").empty());
  CHECK(object.string_at("none").empty());
}

TEST_CASE("value: a clone shares nothing with the original", "[json]") {
  std::string text = "old";
  Arena arena;
  Value list = Value::array(arena);
  list.push_back(arena, Value::string(text));
  list.push_back(arena, Value::number(arena, 1.5, "1.50"));
  Value object = Value::object(arena);
  object.set(arena, "list", list);

  Arena other;
  const Value copy = object.clone(other);
  CHECK(deep_equal(copy, object));
  list.items()[0] = Value::null();
  text = "new";
  const Value* copied_list = copy.find("list");
  REQUIRE(copied_list);
  CHECK(copied_list->items()[0].as_string() == "old");
  CHECK(copied_list->items()[1].double_text() == "1.50");
}

TEST_CASE("value: deep trees are cloned and compared without recursion", "[json]") {
  Arena arena;
  Value value = Value::array(arena);
  for (int depth = 0; depth < 200000; ++depth) {
    Value outer = depth % 2 == 0 ? Value::object(arena) : Value::array(arena);
    if (outer.is_object()) {
      outer.append(arena, "a", value);
    } else {
      outer.push_back(arena, value);
    }
    value = outer;
  }
  CHECK(deep_equal(value, value.clone(arena)));
}

TEST_CASE("arena: cleared, it uses its memory again", "[json]") {
  Arena arena;
  arena.clear();
  const void* const first = arena.allocate(100);
  arena.allocate(100);
  arena.clear();
  CHECK(arena.allocate(100) == first);

  // After one more overflow a single block holds everything.
  for (int i = 0; i < 1000; ++i) arena.allocate(100);
  arena.clear();
  const char* const begin = static_cast<char*>(arena.allocate(100));
  for (int i = 1; i < 1000; ++i) {
    char* const next = static_cast<char*>(arena.allocate(100));
    std::fill_n(next, 100, 'x');
    CHECK(next == begin + std::ptrdiff_t{104} * i);
  }
  arena.clear();
  CHECK(arena.allocate(8) == begin);
}

}  // namespace
}  // namespace tabernetes::json
