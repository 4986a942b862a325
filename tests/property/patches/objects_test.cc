// Patches and applies with random objects of the catalogue's kinds.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "../representations/random_object.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/equality.h"
#include "tabernetes/standalone.h"

namespace tabernetes::property {
namespace {

using json::Value;

constexpr int kObjectRuns = 1500;

// Returns the kinds that are stored.
const std::vector<const schema::Resource*>& kinds() {
  static const std::vector<const schema::Resource*> all = [] {
    std::vector<const schema::Resource*> resources;
    for (const schema::Resource& resource : schema::Catalogue::built_in().resources()) {
      if (resource.has_verb("patch")) resources.push_back(&resource);
    }
    return resources;
  }();
  return all;
}

std::string object_text(const Value& value) {
  std::string out;
  codec::write_json(value, out);
  return out;
}

class Case {
 public:
  explicit Case(std::uint64_t seed) : entropy_({}, seed) {
    resource_ = kinds()[entropy_.below(kinds().size())];
  }

  // Returns an object of the case's kind, without fields that only the server sets.
  std::string object(std::size_t size) {
    Value object = random_object(*resource_->type, size, entropy_, arena_);
    if (Value* metadata = object.find("metadata")) metadata->erase("managedFields");
    Value named = Value::object(arena_);
    const std::string version = resource_->group.empty() ? std::string(resource_->version)
                                                         : std::string(resource_->group) + "/" +
                                                               std::string(resource_->version);
    named.append(arena_, "kind", Value::string(resource_->kind));
    named.append(arena_, "apiVersion", Value::string(arena_.copy(version)));
    for (const json::Member& member : object.members()) {
      named.append(arena_, member.key, member.value);
    }
    return object_text(named);
  }

 private:
  Entropy entropy_;
  json::Arena arena_;
  const schema::Resource* resource_;
};

// Returns the object as the server would store it: what a client reads, changes and applies.
std::string stored(const std::string& object) {
  const auto made = apply_patch(object, "{}", {.media_type = "application/merge-patch+json"});
  return made ? made->object : std::string();
}

bool same(const std::string& a, const std::string& b) {
  json::Arena arena;
  return json::deep_equal(codec::read_json(a, arena).value, codec::read_json(b, arena).value);
}

TEST_CASE("an apply that is done again changes nothing", "[property]") {
  int applied = 0;
  for (int run = 0; run < kObjectRuns; ++run) {
    Case each(static_cast<std::uint64_t>(run));
    const std::string live = each.object(40), config = stored(each.object(20));
    CAPTURE(run, live, config);
    ApplyOptions options{.manager = "one", .force = true};
    const auto once = server_side_apply(live, config, options);
    // Duplicate items, and items without a value for their key, are rejected.
    if (!once) continue;
    ++applied;
    options.force = false;
    options.now = Time::from_unix_milliseconds(1'000'000);
    const auto twice = server_side_apply(once->object, config, options);
    REQUIRE(twice);
    CHECK_FALSE(twice->changed);
    CHECK(twice->object == once->object);
    // An apply that removes nothing and sets the same values meets no conflict.
    options.manager = "two";
    const auto shared = server_side_apply(once->object, config, options);
    REQUIRE(shared);
    CHECK_FALSE(shared->changed);
    CHECK(field_owners(shared->object));
  }
  CHECK(applied > kObjectRuns / 3);
}

TEST_CASE("what is applied to nothing and given up leaves nothing", "[property]") {
  for (int run = 0; run < kObjectRuns; ++run) {
    Case each(static_cast<std::uint64_t>(run) + 1'000'000);
    const std::string config = each.object(20);
    CAPTURE(run, config);
    const auto created = server_side_apply({}, config, {.manager = "one"});
    if (!created) continue;
    const std::string kind = config.substr(0, config.find(R"(","apiVersion":")"));
    const std::size_t version_end = config.find('"', config.find(R"("apiVersion":")") + 14);
    const std::string nothing = config.substr(0, version_end + 1) + "}";
    const auto emptied = server_side_apply(created->object, nothing, {.manager = "one"});
    REQUIRE(emptied);
    CHECK(field_owners(emptied->object)->empty());
  }
}

TEST_CASE("a strategic merge patch that is done again changes nothing", "[property]") {
  int patched = 0;
  for (int run = 0; run < kObjectRuns; ++run) {
    Case each(static_cast<std::uint64_t>(run) + 2'000'000);
    const std::string live = each.object(40), patch = each.object(20);
    CAPTURE(run, live, patch);
    const PatchOptions options{.media_type = "application/strategic-merge-patch+json"};
    const auto once = apply_patch(live, patch, options);
    if (!once) {
      // An item without its key, or two values of one key with different types.
      CHECK((once.fault().status.find(R"("code":500})") != std::string::npos ||
             once.fault().status.find(R"("code":422})") != std::string::npos));
      continue;
    }
    const auto twice = apply_patch(once->object, patch, options);
    // New items are taken unchanged, but existing ones must be merged, which fails for items
    // without their key and lists without a schema.
    if (!twice) {
      CHECK(twice.fault().status.find(R"("code":500})") != std::string::npos);
      continue;
    }
    ++patched;
    CAPTURE(once->object);
    CHECK(same(twice->object, once->object));
  }
  CHECK(patched > kObjectRuns / 2);
}

}  // namespace
}  // namespace tabernetes::property
