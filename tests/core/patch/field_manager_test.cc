// Stories of writes to one object, with the owners of fields after each. See
// vectors/server-side-apply.json.
#include "patch/field_manager.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>

#include "base/time/rfc3339.h"
#include "json/equality.h"
#include "patch/scale_fields.h"
#include "told_kinds.h"
#include "vectors.h"

namespace tabernetes::patch {
namespace {

using json::Arena;
using json::Value;

// Parses "T3": three seconds after the start.
Time moment(std::string_view text) {
  return Time::from_unix_milliseconds(1'800'000'000'000 +
                                      std::stoll(std::string(text.substr(1))) * 1000);
}

// Returns a vector's list with real times and the omitted fieldsType.
ManagedFields managed_fields_of(const Value& list, Arena& arena) {
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

// Returns "spec metadata.labels".
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
        kind_of_story_(kind_of(story, arena)),
        versions_(*kind_of_story_) {
    live_ = versions_.zero(api_version_, arena_);
    if (const Value* initial = story.find("initial")) {
      live_ = versions_.normal(*initial->find("object"), api_version_, arena_);
      managed_ = managed_fields_of(*initial->find("managedFields"), arena_);
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
    const std::string_view op = step.string_at("op");
    if (op.substr(0, 5) == "scale") {
      scale(step, writer, op == "scaleApply", expect);
    } else if (op == "apply") {
      apply(step, writer, expect);
    } else {
      update(step, writer);
      check(expect);
    }
    exists_ = true;
  }

  void update(const Value& step, const Writer& writer) {
    const Value next = versions_.normal(*step.find("object"), writer.api_version, arena_);
    if (writer.subresource.empty()) check_creation(next, writer);
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

  // Checks that the fast path for created objects gives the same owners.
  void check_creation(const Value& object, const Writer& writer) {
    const Value zero = versions_.zero(writer.api_version, arena_);
    ManagedFields entries = update_managed_fields(versions_, zero, object, {}, writer, arena_);
    const Value list = first_managed_fields(versions_, zero, object, writer, arena_);
    CHECK(text_of(list.is_null() ? Value::array(arena_) : list) ==
          text_of(write_managed_fields(entries, arena_)));
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

  // Applies a write of the object's scale to the object.
  void scale(const Value& step, Writer writer, bool applies, const Value& expect) {
    const BuiltIn scales("Scale");
    const Replicas replicas{
        versions_, api_version_, {PathElement::field("spec"), PathElement::field("replicas")}};
    const ManagedFields shown = scale_entries(managed_, replicas);
    const Value before = scale_with(scales, *live_.at({"spec", "replicas"}));
    writer.api_version = kScaleVersion;
    writer.kind = "Scale";
    writer.subresource = "scale";
    Value next = scales.normal(*step.find("object"), kScaleVersion, arena_);
    ManagedFields entries;
    if (applies) {
      const Value* force = step.find("force");
      const auto applied = apply_configuration(scales, before, *step.find("object"), shown, writer,
                                               force != nullptr && force->as_bool(), arena_);
      if (expect.find("object") == nullptr) {
        REQUIRE_FALSE(applied);
        check_failure(applied.error(), expect);
        return;
      }
      REQUIRE(applied);
      next = applied->object;
      entries = applied->managed;
    } else {
      entries = update_managed_fields(scales, before, next, shown, writer, arena_);
    }
    Value spec = live_.find("spec")->shallow_copy(arena_);
    spec.set(arena_, "replicas", *next.at({"spec", "replicas"}));
    live_ = live_.shallow_copy(arena_);
    live_.set(arena_, "spec", spec);
    managed_ = with_scale_entries(managed_, entries, replicas);
    check(expect);
  }

  Value scale_with(const BuiltIn& scales, const Value& replicas) {
    Value spec = Value::object(arena_);
    spec.append(arena_, "replicas", replicas);
    Value scale = scales.zero(kScaleVersion, arena_);
    scale.set(arena_, "metadata", *live_.find("metadata"));
    scale.set(arena_, "spec", spec);
    return scale;
  }

  bool same_but_for_times(const ManagedFields& before) const {
    return std::equal(before.begin(), before.end(), managed_.begin(), managed_.end(),
                      [](const ManagedFieldsEntry& a, const ManagedFieldsEntry& b) {
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
    const Value& object = *expect.find("object");
    const Value expected = versions_.normal(object, object.string_at("apiVersion"), arena_);
    CAPTURE(text_of(live_), text_of(expected));
    CHECK(json::deep_equal(live_, expected));
    const std::string shown = text_of(write_managed_fields(managed_, arena_));
    ManagedFields entries = managed_fields_of(*expect.find("managedFields"), arena_);
    const std::string wanted = text_of(write_managed_fields(entries, arena_));
    CHECK(shown == wanted);
  }

  const Value& story_;
  Arena& arena_;
  const std::string_view kind_, api_version_;
  const std::unique_ptr<const ToldKind> kind_of_story_;
  const ToldKind& versions_;
  Value live_;
  ManagedFields managed_;
  bool exists_ = false;
  int begin_ = 0;
};

TEST_CASE("field manager: the stories end as with the real library", "[patch]") {
  Arena arena;
  int told = 0;
  for (const Value& story : read_vectors("server-side-apply.json", arena).items()) {
    CAPTURE(story.string_at("name"));
    Story(story, arena).tell();
    ++told;
  }
  CHECK(told == 101);
}

}  // namespace
}  // namespace tabernetes::patch
