// Checks our JSON Patch and JSON Merge Patch against nlohmann/json's patch, diff and merge_patch
// (the judge). Intended differences, all due to evanphx/json-patch v4:
//
// - An absent member acts like null: `replace` creates it, `test` against null succeeds, `copy`
//   creates a null. The judge rejects these.
// - `test` compares the texts of numbers, so 1 and 1.0 differ; nulls in arrays crash it (a 500).
// - The whole document can be replaced, but not added or copied.
// - A merge patch drops null members of objects in its arrays, too, unless such an array replaces
//   an object.
#include <catch2/catch_test_macros.hpp>
#include <iterator>
#include <optional>
#include <string>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "documents.h"
#include "patch/json_patch.h"
#include "patch/merge_patch.h"

namespace tabernetes::judges {
namespace {

// Patched objects come out sorted, so order does not matter here.
using Sorted = nlohmann::json;

json::Value tree_of(const Sorted& document, json::Arena& arena) {
  const codec::JsonRead read = codec::read_json(document.dump(), arena);
  REQUIRE(read.error == "");
  return read.value;
}

Sorted document_of(const json::Value& tree) {
  std::string text;
  codec::write_json(tree, text);
  return Sorted::parse(text);
}

// Small objects over few names, so that any two have much in common.
Sorted small_value(Random& random, int depth) {
  static constexpr const char* kNames[] = {"a", "b", "c", "x/y", "m~n", "0"};
  static const Sorted kScalars[] = {nullptr, true, 0, 1, 2.5, "", "text", "a/b~c"};
  if (depth <= 0 || pick(random, 3) == 0) return kScalars[pick(random, std::size(kScalars))];
  if (pick(random, 3) == 0) {
    Sorted list = Sorted::array();
    for (std::size_t left = pick(random, 4); left > 0; --left) {
      list.push_back(small_value(random, depth - 1));
    }
    return list;
  }
  Sorted object = Sorted::object();
  for (std::size_t left = pick(random, 5); left > 0; --left) {
    object[kNames[pick(random, std::size(kNames))]] = small_value(random, depth - 1);
  }
  return object;
}

Sorted small_object(Random& random) {
  Sorted object = small_value(random, 4);
  if (object.is_object()) return object;
  Sorted around = Sorted::object();
  around["a"] = std::move(object);
  return around;
}

// Returns a pointer to an existing value, next to one, or to a missing one.
Sorted::json_pointer random_pointer(const Sorted& document, Random& random) {
  static constexpr const char* kNames[] = {"a", "b", "c", "x/y", "m~n", "0", "z"};
  Sorted::json_pointer pointer;
  const Sorted* at = &document;
  do {
    std::string part = kNames[pick(random, std::size(kNames))];
    if (at->is_object() && !at->empty() && pick(random, 4) != 0) {
      part = std::next(at->begin(), static_cast<std::ptrdiff_t>(pick(random, at->size()))).key();
    } else if (at->is_array()) {
      const std::size_t index = pick(random, at->size() + 2);
      part = index > at->size() ? "-" : std::to_string(index);
    }
    pointer.push_back(part);
    at = document.contains(pointer) ? &document.at(pointer) : nullptr;
  } while (at != nullptr && (at->is_object() || at->is_array()) && pick(random, 3) != 0);
  return pointer;
}

Sorted random_operation(const Sorted& document, Random& random) {
  static constexpr const char* kNames[] = {"add", "remove", "replace", "move", "copy", "test"};
  const std::string name = kNames[pick(random, std::size(kNames))];
  const Sorted::json_pointer path = random_pointer(document, random);
  Sorted operation = Sorted::object();
  operation["op"] = name;
  operation["path"] = path.to_string();
  if (name == "move" || name == "copy") {
    const std::string from = random_pointer(document, random).to_string();
    // Moving a value into itself is impossible; the judge asserts against it.
    const bool inside = path.to_string().starts_with(from + "/");
    operation["from"] = inside ? path.to_string() : from;
  } else if (name == "test" && document.contains(path) && pick(random, 2) == 0) {
    operation["value"] = document.at(path);
  } else if (name != "remove") {
    operation["value"] = small_value(random, 2);
  }
  return operation;
}

// Returns the judge's result, or nullopt if it rejects the patch.
std::optional<Sorted> judged(const Sorted& document, const Sorted& operations) {
  try {
    return document.patch(operations);
  } catch (const Sorted::exception&) {
    return std::nullopt;
  }
}

bool is_member(const Sorted& document, const Sorted::json_pointer& path) {
  return !path.empty() && document.contains(path.parent_pointer()) &&
         document.at(path.parent_pointer()).is_object();
}

bool has_null_item(const Sorted& value) {
  if (!value.is_structured()) return false;
  for (const Sorted& item : value) {
    if (has_null_item(item) || (value.is_array() && item.is_null())) return true;
  }
  return false;
}

// Returns whether we accept the operation and the judge does not, by the first difference above.
bool takes_absent(const Sorted& document, const Sorted& operation) {
  const std::string name = operation["op"];
  const char* place = name == "copy" || name == "move" ? "from" : "path";
  const Sorted::json_pointer path(operation[place].get<std::string>());
  const bool absent = is_member(document, path) && !document.contains(path);
  if (name == "test") return absent && operation["value"].is_null();
  return absent && (name == "replace" || name == "copy" || name == "move");
}

TEST_CASE("judges: nlohmann's diff is applied to the end", "[property]") {
  const Seeds seeds(1500);
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Random random(seed);
    const Sorted from = small_object(random), to = small_object(random);
    const Sorted patch = Sorted::diff(from, to);
    INFO("seed " << seed << "\nfrom  " << from << "\nto    " << to << "\npatch " << patch);
    json::Arena arena;
    const auto patched =
        patch::apply_json_patch(tree_of(from, arena), tree_of(patch, arena), arena);
    REQUIRE(patched);
    REQUIRE(document_of(*patched) == to);
  }
}

TEST_CASE("judges: an operation does what it does for nlohmann/json", "[property]") {
  const Seeds seeds(6000);
  int taken = 0, refused = 0, known = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Random random(seed);
    const Sorted document = small_object(random);
    const Sorted operation = random_operation(document, random);
    INFO("seed " << seed << "\ndocument  " << document << "\noperation " << operation);
    const std::optional<Sorted> theirs = judged(document, Sorted::array({operation}));
    json::Arena arena;
    const auto ours = patch::apply_json_patch(tree_of(document, arena),
                                              tree_of(Sorted::array({operation}), arena), arena);
    INFO("theirs " << (theirs ? theirs->dump() : "refused"));
    INFO("ours " << (ours ? document_of(*ours).dump() : ours.error().message));
    if (theirs && ours) {
      REQUIRE(document_of(*ours) == *theirs);
      ++taken;
    } else if (theirs) {
      REQUIRE(ours.error().code == 500);
      REQUIRE(operation["op"] == "test");
      REQUIRE(has_null_item(operation["value"]));
      ++known;
    } else if (ours) {
      REQUIRE(takes_absent(document, operation));
      ++known;
    } else {
      ++refused;
    }
  }
  CHECK(taken > 0);
  CHECK(refused > 0);
  CHECK(known > 0);
}

TEST_CASE("judges: operations in a row do what they do for nlohmann/json", "[property]") {
  const Seeds seeds(2000);
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Random random(seed);
    const Sorted document = small_object(random);
    Sorted now = document, patch = Sorted::array();
    for (std::size_t tries = 0; tries < 12; ++tries) {
      const Sorted operation = random_operation(now, random);
      if (operation["op"] == "test" && has_null_item(operation["value"])) continue;
      const std::optional<Sorted> next = judged(now, Sorted::array({operation}));
      if (!next) continue;
      now = *next;
      patch.push_back(operation);
    }
    INFO("seed " << seed << "\ndocument " << document << "\npatch " << patch);
    json::Arena arena;
    const auto ours =
        patch::apply_json_patch(tree_of(document, arena), tree_of(patch, arena), arena);
    REQUIRE(ours);
    REQUIRE(document_of(*ours) == now);
  }
}

// Removes null members of objects in arrays, where the two differ.
Sorted without_nulls_in_arrays(const Sorted& value, bool in_array) {
  if (!value.is_structured()) return value;
  Sorted result = value.is_array() ? Sorted::array() : Sorted::object();
  for (const auto& [key, member] : value.items()) {
    if (value.is_array()) {
      result.push_back(without_nulls_in_arrays(member, true));
    } else if (!in_array || !member.is_null()) {
      result[key] = without_nulls_in_arrays(member, in_array);
    }
  }
  return result;
}

TEST_CASE("judges: a merge patch does what it does for nlohmann/json", "[property]") {
  const Seeds seeds(4000);
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Random random(seed);
    const Sorted document = small_object(random);
    const Sorted patch = without_nulls_in_arrays(small_object(random), false);
    INFO("seed " << seed << "\ndocument " << document << "\npatch " << patch);
    Sorted theirs = document;
    theirs.merge_patch(patch);
    json::Arena arena;
    const auto ours =
        patch::apply_merge_patch(tree_of(document, arena), tree_of(patch, arena), arena);
    REQUIRE(ours);
    REQUIRE(document_of(*ours) == theirs);
  }
}

TEST_CASE("judges: where we patch unlike nlohmann/json", "[property]") {
  struct Case {
    const char *document, *patch;
    int code;  // 0: accepted
  };
  static constexpr Case kTakenByTheJudge[] = {
      {R"({"a":1})", R"([{"op":"test","path":"/a","value":1.0}])", 422},
      {R"({"a":[null]})", R"([{"op":"test","path":"/a","value":[null]}])", 500},
      {R"({"a":1})", R"([{"op":"add","path":"","value":{}}])", 422},
      {R"({"a":1})", R"([{"op":"copy","from":"","path":"/b"}])", 422}};
  for (const Case& c : kTakenByTheJudge) {
    INFO(c.patch);
    json::Arena arena;
    CHECK(judged(Sorted::parse(c.document), Sorted::parse(c.patch)));
    const auto ours = patch::apply_json_patch(tree_of(Sorted::parse(c.document), arena),
                                              codec::read_json(c.patch, arena).value, arena);
    REQUIRE_FALSE(ours);
    CHECK(ours.error().code == c.code);
  }
  const Sorted document = Sorted::parse(R"({"a":1})");
  const Sorted patch = Sorted::parse(R"({"b":[{"c":null,"d":1}]})");
  Sorted theirs = document;
  theirs.merge_patch(patch);
  CHECK(theirs == Sorted::parse(R"({"a":1,"b":[{"c":null,"d":1}]})"));
  json::Arena arena;
  const auto ours =
      patch::apply_merge_patch(tree_of(document, arena), tree_of(patch, arena), arena);
  REQUIRE(ours);
  CHECK(document_of(*ours) == Sorted::parse(R"({"a":1,"b":[{"d":1}]})"));
}

}  // namespace
}  // namespace tabernetes::judges
