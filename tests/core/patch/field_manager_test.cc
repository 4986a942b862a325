// Stories of writes to one object: who owns what after each. See vectors/server-side-apply.json.
#include "patch/field_manager.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "base/rfc3339.h"
#include "json/equality.h"
#include "schema/decode.h"
#include "vectors.h"

namespace tabernetes::patch {
namespace {

using json::Arena;
using json::Value;

std::string_view group_of(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}
std::string_view version_of(std::string_view api_version) {
  return api_version.substr(api_version.find('/') + 1);
}

// A built-in kind that looks the same in all versions it has.
class BuiltIn : public ObjectVersions {
 public:
  explicit BuiltIn(std::string_view kind) : kind_(kind) {}

  std::optional<Shape> shape(std::string_view api_version) const override {
    const schema::Type* type = find(api_version);
    return type == nullptr ? std::nullopt : std::optional(Shape::of_type(*type));
  }
  Value convert(const Value& object, std::string_view, Arena&) const override { return object; }
  Value zero(std::string_view api_version, Arena& arena) const override {
    Value object = Value::object(arena);
    object.append(arena, "apiVersion", Value::string(api_version));
    object.append(arena, "kind", Value::string(kind_));
    return normal(object, api_version, arena);
  }

  Value normal(const Value& object, std::string_view api_version, Arena& arena) const {
    const schema::DecodeResult decoded = schema::decode_typed(*find(api_version), object, arena);
    CHECK(decoded.error == "");
    return decoded.value;
  }

 private:
  const schema::Type* find(std::string_view api_version) const {
    return schema::Catalogue::built_in().find_kind(group_of(api_version), version_of(api_version),
                                                   kind_);
  }

  std::string_view kind_;
};

// "T3": three seconds after the beginning.
Time moment(std::string_view text) {
  return Time::from_unix_milliseconds(1'800'000'000'000 +
                                      std::stoll(std::string(text.substr(1))) * 1000);
}

// The list of a vector with real times and the fieldsType that it leaves out.
ManagedFields entries_of(const Value& list, Arena& arena) {
  Value real = Value::array(arena);
  for (const Value& each : list.items()) {
    Value entry = each.clone(arena);
    const Value* time = entry.find("time");
    if (time != nullptr && time->is_string() && time->as_string()[0] == 'T') {
      entry.set(arena, "time",
                Value::string(arena.copy(format_rfc3339(moment(time->as_string())))));
    }
    if (entry.find("fieldsType") == nullptr) {
      entry.set(arena, "fieldsType", Value::string("FieldsV1"));
    }
    real.push_back(arena, entry);
  }
  const auto entries = read_managed_fields(real);
  REQUIRE(entries);
  return *entries;
}

// "spec metadata.labels"
std::string reset_paths(const Value& story, std::string_view subresource) {
  std::string text;
  const Value* all = story.find("resetFields");
  const Value* paths = all == nullptr ? nullptr : all->find(subresource);
  if (paths == nullptr) return text;
  for (const Value& names : paths->items()) {
    if (!text.empty()) text += ' ';
    for (const Value& name : names.items()) {
      if (!text.empty() && text.back() != ' ') text += '.';
      text += name.as_string();
    }
  }
  return text;
}

class Story {
 public:
  Story(const Value& story, Arena& arena)
      : story_(story),
        arena_(arena),
        kind_(story.string_at("kind")),
        api_version_(story.string_at("apiVersion")),
        versions_(kind_) {
    live_ = versions_.zero(api_version_, arena_);
    if (const Value* initial = story.find("initial")) {
      live_ = versions_.normal(*initial->find("object"), api_version_, arena_);
      managed_ = entries_of(*initial->find("managedFields"), arena_);
      exists_ = true;
      begin_ = 100;
    }
  }

  void tell() {
    int number = begin_;
    for (const Value& step : story_.find("steps")->items()) {
      ++number;
      CAPTURE(number);
      do_step(step, "T" + std::to_string(number));
    }
  }

 private:
  void do_step(const Value& step, const std::string& time) {
    Writer writer;
    writer.manager = step.string_at("manager");
    writer.api_version =
        step.find("apiVersion") != nullptr ? step.string_at("apiVersion") : api_version_;
    writer.kind = kind_;
    writer.subresource = step.string_at("subresource");
    writer.now = moment(time);
    const std::string reset = reset_paths(story_, writer.subresource);
    writer.reset = {reset};
    const Value& expect = *step.find("expect");
    if (step.string_at("op") == "apply") {
      apply(step, writer, expect);
    } else {
      update(step, writer);
      check(expect);
    }
    exists_ = true;
  }

  void update(const Value& step, const Writer& writer) {
    const Value next = versions_.normal(*step.find("object"), writer.api_version, arena_);
    const Value* sent = step.find("requestManagedFields");
    if (!writer.subresource.empty()) sent = nullptr;
    const ManagedFields entries = entries_before_update(sent, managed_);
    const ManagedFields before = managed_;
    managed_ = entries.empty() && exists_
                   ? ManagedFields()
                   : update_managed_fields(versions_, live_, next, entries, writer, arena_);
    if (same_but_for_times(before) && json::deep_equal(live_, next)) managed_ = before;
    live_ = next;
  }

  void apply(const Value& step, const Writer& writer, const Value& expect) {
    const Value* force = step.find("force");
    const auto applied = apply_configuration(versions_, live_, *step.find("object"), managed_,
                                             writer, force != nullptr && force->as_bool(), arena_);
    if (expect.find("object") == nullptr) {
      REQUIRE_FALSE(applied);
      check_failure(applied.error(), expect);
      return;
    }
    if (!applied) FAIL(applied.error().message);
    const ManagedFields before = managed_;
    managed_ = applied->managed;
    const Value next = versions_.normal(applied->object, writer.api_version, arena_);
    if (same_but_for_times(before) && json::deep_equal(live_, next)) managed_ = before;
    live_ = next;
    check(expect);
  }

  bool same_but_for_times(const ManagedFields& before) const {
    return std::equal(before.begin(), before.end(), managed_.begin(), managed_.end(),
                      [](const ManagedEntry& a, const ManagedEntry& b) {
                        return a.identity() == b.identity() && a.api_version == b.api_version &&
                               a.fields == b.fields;
                      });
  }

  static void check_failure(const ApiStatus& status, const Value& expect) {
    CHECK(status.code == expect.find("httpCode")->as_int());
    const Value* conflicts = expect.find("conflicts");
    CHECK(status.message == expect.string_at(conflicts == nullptr ? "error" : "message"));
    if (conflicts == nullptr) return;
    REQUIRE(status.details->causes.size() == conflicts->size());
    for (const Value& conflict : conflicts->items()) {
      const StatusCause cause{"FieldManagerConflict", std::string(conflict.string_at("message")),
                              std::string(conflict.string_at("field"))};
      const auto& causes = status.details->causes;
      CHECK(std::find(causes.begin(), causes.end(), cause) != causes.end());
    }
  }

  void check(const Value& expect) {
    const Value expected = versions_.normal(*expect.find("object"), api_version_, arena_);
    CAPTURE(text_of(live_), text_of(expected));
    CHECK(json::deep_equal(live_, expected));
    const std::string shown = text_of(write_managed_fields(managed_, arena_));
    const std::string wanted =
        text_of(write_managed_fields(entries_of(*expect.find("managedFields"), arena_), arena_));
    CHECK(shown == wanted);
  }

  const Value& story_;
  Arena& arena_;
  const std::string_view kind_, api_version_;
  BuiltIn versions_;
  Value live_;
  ManagedFields managed_;
  bool exists_ = false;
  int begin_ = 0;
};

// Custom kinds come with their schemas, scales with the subresource.
bool is_told_here(const Value& story) {
  if (story.find("crd") != nullptr) return false;
  for (const Value& step : story.find("steps")->items()) {
    if (step.string_at("op").substr(0, 5) == "scale") return false;
  }
  return true;
}

TEST_CASE("field manager: the stories end as with the real library", "[patch]") {
  Arena arena;
  int told = 0;
  for (const Value& story : read_vectors("server-side-apply.json", arena).items()) {
    if (!is_told_here(story)) continue;
    CAPTURE(story.string_at("name"));
    Story(story, arena).tell();
    ++told;
  }
  CHECK(told == 75);
}

}  // namespace
}  // namespace tabernetes::patch
