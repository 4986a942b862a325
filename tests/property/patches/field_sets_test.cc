// Field sets obey the laws of sets and print themselves faithfully.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "base/numbers/entropy.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "patch/field_set.h"
#include "random_json.h"

namespace tabernetes::property {
namespace {

using json::Value;
using patch::FieldSet;
using patch::Path;
using patch::PathElement;

constexpr int kSetRuns = 3000;

PathElement random_element(Entropy& entropy, json::Arena& arena) {
  switch (entropy.below(4)) {
    case 0: {
      Value key = Value::object(arena);
      key.append(arena, "name", random_json(0, Nulls::kSome, entropy, arena));
      if (entropy.below(2) == 0) {
        key.append(arena, "a<b", random_json(0, Nulls::kSome, entropy, arena));
      }
      return PathElement::key(key);
    }
    case 1:
      return PathElement::value(random_json(1, Nulls::kSome, entropy, arena));
    case 2:
      return PathElement::index(static_cast<std::int64_t>(entropy.below(4)) - 1);
    default: {
      static constexpr std::string_view kNames[] = {"a", "b", "", ".", "f:a", "<\"&\n", "é"};
      return PathElement::field(kNames[entropy.below(7)]);
    }
  }
}

FieldSet random_set(Entropy& entropy, json::Arena& arena) {
  FieldSet set;
  for (std::uint64_t count = entropy.below(8); count > 0; --count) {
    Path path;
    for (std::uint64_t length = 1 + entropy.below(4); length > 0; --length) {
      path.push_back(random_element(entropy, arena));
    }
    set.insert(path);
  }
  return set;
}

std::string printed(const FieldSet& set) {
  json::Arena arena;
  std::string text;
  codec::write_json(set.to_fields_v1(arena), text);
  return text;
}

// Parses a set, which stays a view of `arena`.
std::optional<FieldSet> parsed(const std::string& text, json::Arena& arena) {
  return FieldSet::from_fields_v1(codec::read_json(text, arena).value);
}

TEST_CASE("field sets: what is printed is read again as the same", "[property]") {
  for (int run = 0; run < kSetRuns; ++run) {
    json::Arena arena;
    Entropy entropy({}, static_cast<std::uint64_t>(run));
    const FieldSet set = random_set(entropy, arena);
    const std::string text = printed(set);
    CAPTURE(run, text);
    const auto again = parsed(text, arena);
    REQUIRE(again);
    CHECK(*again == set);
    CHECK(printed(*again) == text);
  }
}

TEST_CASE("field sets: the laws of sets", "[property]") {
  for (int run = 0; run < kSetRuns; ++run) {
    json::Arena arena;
    Entropy entropy({}, static_cast<std::uint64_t>(run) + 1'000'000);
    const FieldSet a = random_set(entropy, arena), b = random_set(entropy, arena),
                   c = random_set(entropy, arena);
    CAPTURE(run, printed(a), printed(b), printed(c));
    CHECK(a.united(a) == a);
    CHECK(a.united(b) == b.united(a));
    CHECK(a.united(b).united(c) == a.united(b.united(c)));
    CHECK(a.intersected(a) == a);
    CHECK(a.intersected(b) == b.intersected(a));
    CHECK(a.intersected(b).intersected(c) == a.intersected(b.intersected(c)));
    CHECK(a.intersected(b.united(c)) == a.intersected(b).united(a.intersected(c)));
    CHECK(a.without(a).empty());
    CHECK(a.without(b).united(a.intersected(b)) == a);
    CHECK(a.without(b).intersected(b).empty());
    CHECK(a.without(b.united(c)) == a.without(b).without(c));
  }
}

TEST_CASE("field sets: what is in which", "[property]") {
  for (int run = 0; run < kSetRuns; ++run) {
    json::Arena arena;
    Entropy entropy({}, static_cast<std::uint64_t>(run) + 2'000'000);
    const FieldSet a = random_set(entropy, arena), b = random_set(entropy, arena);
    CAPTURE(run, printed(a), printed(b));
    const FieldSet both = a.united(b), common = a.intersected(b), rest = a.without(b);
    CHECK(a.includes(b) == (both == a));
    CHECK(a.meets(b) == !common.empty());
    both.for_each([&](const Path& path) { CHECK((a.has(path) || b.has(path))); });
    a.for_each([&](const Path& path) {
      CHECK(both.has(path));
      CHECK(common.has(path) == b.has(path));
      CHECK(rest.has(path) != b.has(path));
    });
  }
}

TEST_CASE("field sets: copies share nodes, and what is changed is nobody else's", "[property]") {
  for (int run = 0; run < kSetRuns; ++run) {
    json::Arena arena;
    Entropy entropy({}, static_cast<std::uint64_t>(run) + 3'000'000);
    const FieldSet a = random_set(entropy, arena), b = random_set(entropy, arena);
    const std::string text = printed(a);
    CAPTURE(run, text, printed(b));
    const FieldSet common = a.intersected(b), rest = b.without(a);
    CHECK(a.united(common).shares(a));
    CHECK(a.without(rest).shares(a));
    CHECK(a.intersected(a.united(b)).shares(a));
    FieldSet changed = a;
    changed.unite(b);
    changed.subtract(common);
    if (!changed.empty()) changed.edit().pop_back();
    changed.insert({PathElement::field("z"), PathElement::field("z")});
    CHECK(printed(a) == text);
  }
}

}  // namespace
}  // namespace tabernetes::property
