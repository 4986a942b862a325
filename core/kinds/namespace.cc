#include "kinds/namespace.h"

#include "base/time/rfc3339.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

constexpr std::string_view kNameLabel = "kubernetes.io/metadata.name";
constexpr std::string_view kFinalizer = "kubernetes";

Value& member_object(const HookContext& context, Value& parent, std::string_view name) {
  Value* member = parent.find(name);
  if (member == nullptr || !member->is_object()) {
    parent.set(context.arena, name, Value::object(context.arena));
    member = parent.find(name);
  }
  return *member;
}

}  // namespace

// Always sets the label with the namespace's name.
void set_namespace_defaults(const HookContext& context, Value& object) {
  Value& metadata = member_object(context, object, "metadata");
  const std::string_view name = metadata.string_at("name");
  if (name.empty()) return;
  member_object(context, metadata, "labels").set(context.arena, kNameLabel, Value::string(name));
}

void prepare_namespace_for_create(const HookContext& context, Value& object) {
  Value& spec = member_object(context, object, "spec");
  Value* finalizers = spec.find("finalizers");
  if (finalizers == nullptr || !finalizers->is_array()) {
    spec.set(context.arena, "finalizers", Value::array(context.arena));
    finalizers = spec.find("finalizers");
  }
  for (const Value& finalizer : finalizers->items()) {
    if (finalizer.is_string() && finalizer.as_string() == kFinalizer) return;
  }
  finalizers->push_back(context.arena, Value::string(kFinalizer));
}

void prepare_namespace_for_update(const HookContext& context, Value& object, const Value& old) {
  const Value* spec = old.find("spec");
  const Value* finalizers = spec == nullptr ? nullptr : spec->find("finalizers");
  if (finalizers == nullptr) {
    object.erase("spec");
  } else {
    member_object(context, object, "spec").set(context.arena, "finalizers", *finalizers);
  }
}

bool namespace_holds_deletion(const Value& object) {
  const Value* finalizers = object.at({"spec", "finalizers"});
  return finalizers != nullptr && finalizers->size() > 0;
}

void start_namespace_deletion(const HookContext& context, Value& object, bool already) {
  if (already) return;
  Value& metadata = member_object(context, object, "metadata");
  metadata.set(context.arena, "deletionTimestamp",
               Value::string(context.arena.copy(format_rfc3339(context.now))));
  member_object(context, object, "status")
      .set(context.arena, "phase", Value::string("Terminating"));
}

}  // namespace tabernetes::registry::kinds
