// A patch computed from two documents turns the first into the second.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/json_writer.h"
#include "json/equality.h"
#include "patch/json_patch.h"
#include "patch/merge_patch.h"
#include "random_json.h"

namespace tabernetes::property {
namespace {

using json::Arena;
using json::Member;
using json::Value;

constexpr int kRuns = 3000;

std::string text_of(const Value& value) {
  std::string out;
  codec::write_json(value, out);
  return out;
}

// Inverts RFC 7386: returns the merge patch that turns `from` into `to`. REQUIRES: no null in `to`.
Value merge_patch_between(const Value& from, const Value& to, Arena& arena) {
  if (!from.is_object() || !to.is_object()) return to;
  Value patch = Value::object(arena);
  for (const Member& member : from.members()) {
    if (to.find(member.key) == nullptr) patch.append(arena, member.key, Value::null());
  }
  for (const Member& member : to.members()) {
    const Value* old = from.find(member.key);
    if (old == nullptr) {
      patch.append(arena, member.key, member.value);
    } else if (!json::deep_equal(*old, member.value)) {
      // An empty patch object would leave an object as it is, and replace anything else.
      patch.append(arena, member.key, merge_patch_between(*old, member.value, arena));
    }
  }
  return patch;
}

std::string pointer_to(const std::string& parent, std::string_view token) {
  std::string pointer = parent + "/";
  for (const char c : token) pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return pointer;
}

class JsonDifference {
 public:
  explicit JsonDifference(Arena& arena) : arena_(arena), operations_(Value::array(arena)) {}

  Value between(const Value& from, const Value& to) {
    compare("", from, to);
    return operations_;
  }

 private:
  void operation(std::string_view op, const std::string& path, const Value* value) {
    Value operation = Value::object(arena_);
    operation.append(arena_, "op", Value::string(op));
    operation.append(arena_, "path", Value::string(arena_.copy(path)));
    if (value != nullptr) operation.append(arena_, "value", *value);
    operations_.push_back(arena_, operation);
  }

  void compare(const std::string& path, const Value& from, const Value& to) {
    if (from.is_object() && to.is_object()) {
      compare_members(path, from, to);
    } else if (from.is_array() && to.is_array()) {
      compare_items(path, from, to);
    } else if (text_of(from) != text_of(to)) {
      operation("replace", path, &to);
    }
  }

  void compare_members(const std::string& path, const Value& from, const Value& to) {
    for (const Member& member : from.members()) {
      const std::string place = pointer_to(path, member.key);
      if (const Value* other = to.find(member.key)) {
        compare(place, member.value, *other);
      } else {
        operation("remove", place, nullptr);
      }
    }
    for (const Member& member : to.members()) {
      if (from.find(member.key) == nullptr) {
        operation("add", pointer_to(path, member.key), &member.value);
      }
    }
  }

  void compare_items(const std::string& path, const Value& from, const Value& to) {
    const std::uint32_t common = std::min(from.size(), to.size());
    // A path cannot go through an item that is null.
    for (std::uint32_t i = 0; i < common; ++i) {
      compare(pointer_to(path, std::to_string(i)), from.items()[i], to.items()[i]);
    }
    for (std::uint32_t i = common; i < to.size(); ++i) {
      operation("add", path + "/-", &to.items()[i]);
    }
    for (std::uint32_t i = common; i < from.size(); ++i) operation("remove", path + "/-1", nullptr);
  }

  Arena& arena_;
  Value operations_;
};

TEST_CASE("a merge patch computed from two objects makes the second of the first", "[property]") {
  for (int run = 0; run < kRuns; ++run) {
    Arena arena;
    Entropy entropy({}, static_cast<std::uint64_t>(run));
    const Value from = random_json_object(4, Nulls::kSome, entropy, arena);
    const Value to = random_json_object(4, Nulls::kNone, entropy, arena);
    const Value patch = merge_patch_between(from, to, arena);
    CAPTURE(run, text_of(from), text_of(to), text_of(patch));
    const auto patched = patch::apply_merge_patch(from, patch, arena);
    REQUIRE(patched);
    CHECK(json::deep_equal(*patched, to));
    // Applying it twice changes nothing more.
    CHECK(json::deep_equal(*patch::apply_merge_patch(*patched, patch, arena), to));
  }
}

TEST_CASE("a JSON Patch computed from two objects makes the second of the first", "[property]") {
  for (int run = 0; run < kRuns; ++run) {
    Arena arena;
    Entropy entropy({}, static_cast<std::uint64_t>(run) + 1'000'000);
    const Value from = random_json_object(4, Nulls::kSome, entropy, arena);
    const Value to = random_json_object(4, Nulls::kSome, entropy, arena);
    const Value patch = JsonDifference(arena).between(from, to);
    const std::string before = text_of(from);
    CAPTURE(run, before, text_of(to), text_of(patch));
    const auto patched = patch::apply_json_patch(from, patch, arena);
    REQUIRE(patched);
    CHECK(json::deep_equal(*patched, to));
    CHECK(text_of(from) == before);
  }
}

}  // namespace
}  // namespace tabernetes::property
