#include "custom/definition/custom_definition.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/text/ascii.h"
#include "base/time/rfc3339.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/meta/conditions.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

constexpr std::int64_t kHttpsPort = 443;

// Returns the name of the storage version; nullopt if no version is stored. The name may be empty,
// which is rejected later.
std::optional<std::string_view> storage_version(const Value& object) {
  for (const Value& version : items_at(object, {"spec", "versions"})) {
    if (bool_at(version, {"storage"})) return version.string_at("name");
  }
  return std::nullopt;
}

// Adds the storage version to status.storedVersions.
void note_storage_version(const HookContext& context, Value& object) {
  const auto version = storage_version(object);
  if (!version) return;
  Value& status = object_or_new(object, "status", context.arena);
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
    if (!kind.empty()) {
      fill_text(*names, "singular", arena.copy(ascii_lower(kind)), arena);
      fill_text(*names, "listKind", arena.copy(std::string(kind) + "List"), arena);
    }
  }
  const bool converts = spec->find("conversion") != nullptr;
  Value& conversion = object_or_new(*spec, "conversion", arena);
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

// Returns true until a terminating definition has lost its finalizer, which is added on deletion.
bool definition_holds_deletion(const Value& object) {
  return object.at({"metadata", "deletionTimestamp"}) == nullptr || has_cleanup_finalizer(object);
}

void start_definition_deletion(const HookContext& context, Value& object, bool already) {
  if (already) return;
  json::Arena& arena = context.arena;
  Value& metadata = object_or_new(object, "metadata", arena);
  metadata.set(arena, "deletionTimestamp", Value::string(arena.copy(format_rfc3339(context.now))));
  if (!has_cleanup_finalizer(object)) {
    Value finalizers = Value::array(arena);
    for (const Value& known : items_at(object, {"metadata", "finalizers"})) {
      finalizers.push_back(arena, known);
    }
    finalizers.push_back(arena, Value::string(kCleanupFinalizer));
    metadata.set(arena, "finalizers", finalizers);
  }
  set_condition(object_or_new(object, "status", arena),
                {"Terminating", "True", "InstanceDeletionPending",
                 "CustomResourceDefinition marked for deletion; CustomResource deletion will begin "
                 "soon"},
                context.now, arena);
}

}  // namespace tabernetes::registry::kinds
