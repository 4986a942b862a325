#include "registry/ownership/managed_fields.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "json/equality.h"
#include "patch/managed_fields_problem.h"
#include "patch/typed.h"
#include "registry/meta/object_meta.h"

namespace tabernetes::registry {
namespace {

using json::Member;
using json::Value;

constexpr std::string_view kManagedFields = "managedFields";

std::string_view reset_paths(const ResourceType& type, std::string_view subresource) {
  for (const ResetFields& own : type.strategy->reset_fields) {
    if (own.subresource == subresource) return own.paths;
  }
  if (subresource == "status")
    return type.strategy->status_keeps_metadata ? "metadata spec" : "spec";
  return subresource.empty() && type.has_status() ? "status" : std::string_view();
}

const Value* list_of(const Value& object) { return object.at({"metadata", kManagedFields}); }

// Returns the names of the members that `object` does not share with `stored`, of either.
std::vector<std::string_view> changed_members(const Value& object, const Value& stored) {
  std::vector<std::string_view> names;
  for (const Member& member : object.members()) {
    const Value* before = stored.find(member.key);
    if (before == nullptr ||
        !(member.value.is_string() ? json::deep_equal(member.value, *before)
                                   : json::shares_content(member.value, *before))) {
      names.push_back(member.key);
    }
  }
  for (const Member& member : stored.members()) {
    if (object.find(member.key) == nullptr) names.push_back(member.key);
  }
  return names;
}

// Returns the entries of the stored object; without a cache, what the write cannot change is not
// read.
patch::ManagedFields entries_before(const Value& object, const Value& stored,
                                    ManagedFieldsCache* cache) {
  const Value* list = list_of(stored);
  if (cache != nullptr || list == nullptr) return managed_fields_of(stored, cache);
  const std::vector<std::string_view> changed = changed_members(object, stored);
  return patch::read_managed_fields(*list, &changed).value_or(patch::ManagedFields());
}

std::optional<patch::ManagedFields> read_entries(const Value& list, ManagedFieldsCache* cache) {
  return cache == nullptr ? patch::read_managed_fields(list) : cache->read(list);
}

// Sets managedFields; null removes it.
void set_list(Value& object, Value list, json::Arena& arena) {
  ObjectMeta meta(object, arena);
  if (list.is_null()) return meta.erase(kManagedFields);
  meta.tree().set(arena, kManagedFields, list);
}

// Returns true if the client sent the stored entries.
bool sends_stored(const Value& sent, const Value* stored) {
  const Value* list = stored == nullptr ? nullptr : list_of(*stored);
  return list != nullptr && json::deep_equal(sent, *list);
}

bool equal_except_time(const Value& a, const Value& b) {
  if (!a.is_object() || !b.is_object()) return false;
  const auto within = [](const Value& entry, const Value& other) {
    return std::all_of(entry.members().begin(), entry.members().end(), [&](const Member& member) {
      const Value* same = other.find(member.key);
      return member.key == "time" || (same != nullptr && json::deep_equal(member.value, *same));
    });
  };
  return within(a, b) && within(b, a);
}

// Returns the object without the fields whose change does not count.
Value bare(const Value& object, json::Arena& arena) {
  Value copy = without_managed_fields(object, arena);
  copy.find("metadata")->erase("resourceVersion");
  return copy;
}

// Returns the entries of a new object that has none yet.
Value first_list(const patch::ObjectVersions& versions, const patch::Writer& writer,
                 const Value& object, json::Arena& arena) {
  const Value zero = versions.zero(writer.api_version, arena);
  const Value list = patch::first_managed_fields(versions, zero, object, writer, arena);
#ifndef NDEBUG
  // Checks the result against the general algorithm.
  patch::ManagedFields entries = patch::update_managed_fields(
      versions, zero, without_managed_fields(object, arena), {}, writer, arena);
  assert(json::deep_equal(list.is_null() ? Value::array(arena) : list,
                          patch::write_managed_fields(entries, arena)));
#endif
  return list;
}

}  // namespace

patch::Writer writer_of(const WriteContext& context, const ResourceType& type) {
  return {.manager = context.manager,
          .api_version = type.api_version,
          .kind = std::string(type.resource->kind),
          .subresource = std::string(context.subresource),
          .now = context.now,
          .reset = {reset_paths(type, context.subresource)}};
}

patch::ManagedFields managed_fields_of(const Value& object, ManagedFieldsCache* cache) {
  const Value* list = list_of(object);
  if (list == nullptr) return {};
  return read_entries(*list, cache).value_or(patch::ManagedFields());
}

Result<patch::ManagedFields> decode_entries(const Value& object, std::string_view context,
                                            ManagedFieldsCache* cache) {
  const Value* list = list_of(object);
  if (list == nullptr) return patch::ManagedFields();
  auto entries = read_entries(*list, cache);
  if (entries) return std::move(*entries);
  return errors::plain_error(std::string(context) + patch::managed_fields_problem(*list));
}

void set_entries(Value& object, patch::ManagedFields entries, json::Arena& arena,
                 ManagedFieldsCache* cache) {
  const Value list = entries.empty() ? Value::null() : patch::write_managed_fields(entries, arena);
  set_list(object, list, arena);
  if (cache != nullptr && !list.is_null()) cache->note(list, std::move(entries));
}

Value without_managed_fields(const Value& object, json::Arena& arena) {
  Value copy = object.shallow_copy(arena);
  Value metadata = ObjectMeta(copy, arena).tree().shallow_copy(arena);
  metadata.erase(kManagedFields);
  copy.set(arena, "metadata", metadata);
  return copy;
}

bool lacks_typed_form(const ResourceType& type, const patch::ObjectVersions& versions,
                      const Value& object) {
  const bool custom_status = !type.built_in() && type.has_status();
  if (!custom_status && !type.strategy->lists_may_lack_keys) return false;
  const auto shape = versions.shape(type.api_version);
  return shape && !patch::validate_typed(*shape, object, patch::Duplicates::kAllowed).empty();
}

void track_managed_fields(const WriteContext& context, const patch::ObjectVersions& versions,
                          const patch::Writer& writer, Value& object, const Value* stored,
                          ManagedFieldsCache* cache) {
  json::Arena& arena = context.arena;
  const Value* sent = list_of(object);
  // A loaded object keeps its entries.
  if (context.origin == Origin::kManifest && sent != nullptr && sent->size() > 0 &&
      patch::read_managed_fields(*sent)) {
    return;
  }
  patch::ManagedFields entries =
      stored == nullptr ? patch::ManagedFields() : entries_before(object, *stored, cache);
  if (writer.subresource.empty() && sent != nullptr && !sends_stored(*sent, stored)) {
    entries = patch::entries_before_update(sent, entries);
  }
  if (stored == nullptr && entries.empty()) {
    return set_list(object, first_list(versions, writer, object, arena), arena);
  }
  // An object without entries gets none before the first apply.
  if (!entries.empty()) {
    const Value live = stored == nullptr ? versions.zero(writer.api_version, arena)
                                         : without_managed_fields(*stored, arena);
    const Value next = without_managed_fields(object, arena);
#ifndef NDEBUG
    patch::ManagedFields all = entries;
    for (patch::ManagedFieldsEntry& entry : all) entry.read();
    all = patch::update_managed_fields(versions, live, next, std::move(all), writer, arena);
#endif
    entries = patch::update_managed_fields(versions, live, next, std::move(entries), writer, arena);
    assert(json::deep_equal(patch::write_managed_fields(entries, arena),
                            patch::write_managed_fields(all, arena)));
  }
  set_entries(object, std::move(entries), arena, cache);
}

void restore_unchanged_times(Value& object, const Value& stored, json::Arena& arena) {
  const Value* now = list_of(object);
  const Value* before = list_of(stored);
  if (now == nullptr || before == nullptr || json::deep_equal(*now, *before)) return;
  if (!std::equal(now->items().begin(), now->items().end(), before->items().begin(),
                  before->items().end(), equal_except_time)) {
    return;
  }
  if (!json::deep_equal(bare(object, arena), bare(stored, arena))) return;
  ObjectMeta(object, arena).take(kManagedFields, metadata_of(stored));
}

}  // namespace tabernetes::registry
