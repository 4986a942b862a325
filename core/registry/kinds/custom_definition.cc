#include "registry/kinds/custom_definition.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/rfc3339.h"
#include "registry/kinds/fill.h"
#include "registry/kinds/row.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

constexpr std::int64_t kHttpsPort = 443;

// Nothing if no version is stored. The name may be empty, which is refused later.
std::optional<std::string_view> storage_version(const Value& object) {
  for (const Value& version : items_at(object, {"spec", "versions"})) {
    if (bool_at(version, {"storage"})) return version.string_at("name");
  }
  return std::nullopt;
}

// Adds the version that is stored to those that ever were.
void note_storage_version(const HookContext& context, Value& object) {
  const auto version = storage_version(object);
  if (!version) return;
  Value& status = filled_object(object, "status", context.arena);
  const auto stored = items_at(object, {"status", "storedVersions"});
  if (std::any_of(stored.begin(), stored.end(),
                  [&](const Value& known) { return known.as_string() == *version; })) {
    return;
  }
  Value all = Value::array(context.arena);
  for (const Value& known : stored) all.push_back(context.arena, known);
  all.push_back(context.arena, Value::string(*version));
  status.set(context.arena, "storedVersions", all);
}

bool has_cleanup_finalizer(const Value& object) {
  const auto finalizers = items_at(object, {"metadata", "finalizers"});
  return std::any_of(finalizers.begin(), finalizers.end(), [](const Value& finalizer) {
    return finalizer.as_string() == kCleanupFinalizer;
  });
}

}  // namespace

void set_definition_defaults(const HookContext& context, Value& object) {
  json::Arena& arena = context.arena;
  Value* spec = object_in(object, "spec");
  if (spec == nullptr) return;
  if (Value* names = object_in(*spec, "names")) {
    const std::string_view kind = names->string_at("kind");
    std::string singular(kind);
    for (char& c : singular) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    if (!kind.empty()) {
      fill_text(*names, "singular", arena.copy(singular), arena);
      fill_text(*names, "listKind", arena.copy(std::string(kind) + "List"), arena);
    }
  }
  const bool converts = spec->find("conversion") != nullptr;
  Value& conversion = filled_object(*spec, "conversion", arena);
  if (!converts) fill_text(conversion, "strategy", "None", arena);
  const Value* webhook = conversion.at({"webhook", "clientConfig"});
  if (Value* service = webhook == nullptr ? nullptr : object_in(*webhook, "service")) {
    fill_int(*service, "port", kHttpsPort, arena);
  }
}

void prepare_definition_for_create(const HookContext& context, Value& object) {
  note_storage_version(context, object);
}

void prepare_definition_for_update(const HookContext& context, Value& object, const Value&) {
  note_storage_version(context, object);
}

// One that is deleted waits for its finalizer, which it is given then.
bool definition_holds_deletion(const Value& object) {
  return object.at({"metadata", "deletionTimestamp"}) == nullptr || has_cleanup_finalizer(object);
}

void start_definition_deletion(const HookContext& context, Value& object, bool already) {
  if (already) return;
  json::Arena& arena = context.arena;
  Value& metadata = filled_object(object, "metadata", arena);
  metadata.set(arena, "deletionTimestamp", Value::string(arena.copy(format_rfc3339(context.now))));
  if (!has_cleanup_finalizer(object)) {
    Value finalizers = Value::array(arena);
    for (const Value& known : items_at(object, {"metadata", "finalizers"})) {
      finalizers.push_back(arena, known);
    }
    finalizers.push_back(arena, Value::string(kCleanupFinalizer));
    metadata.set(arena, "finalizers", finalizers);
  }
  set_definition_condition(object,
                           {"Terminating", "True", "InstanceDeletionPending",
                            "CustomResourceDefinition marked for deletion; CustomResource deletion "
                            "will begin soon"},
                           context.now, arena);
}

void set_definition_condition(Value& object, const DefinitionCondition& condition, Time now,
                              json::Arena& arena) {
  const Value* known = find_condition(object, condition.type);
  const bool same = known != nullptr && known->string_at("status") == condition.status;
  Value fresh = Value::object(arena);
  fresh.append(arena, "type", Value::string(condition.type));
  fresh.append(arena, "status", Value::string(condition.status));
  fresh.append(arena, "lastTransitionTime",
               Value::string(same ? known->string_at("lastTransitionTime")
                                  : arena.copy(format_rfc3339(now))));
  fresh.append(arena, "reason", Value::string(arena.copy(condition.reason)));
  fresh.append(arena, "message", Value::string(arena.copy(condition.message)));
  Value all = Value::array(arena);
  for (const Value& other : items_at(object, {"status", "conditions"})) {
    all.push_back(arena, &other == known ? fresh : other);
  }
  if (known == nullptr) all.push_back(arena, fresh);
  filled_object(object, "status", arena).set(arena, "conditions", all);
}

}  // namespace tabernetes::registry::kinds
