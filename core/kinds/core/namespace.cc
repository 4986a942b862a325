// Namespace.
// Source: upstream 1.36 pkg/apis/core/validation.
#include <string>

#include "base/time/rfc3339.h"
#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kNamespaceRules, R"(
on create update
 spec.finalizers @own-finalizers
on status
 @phase
)");

namespace {

using json::Value;

constexpr ResetFields kNamespaceResets[] = {{"finalize", "status"}};

void print_namespace(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"status", "phase"}));
  row.age(object);
}

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

void check_finalizer(const Field& place, std::string_view name) {
  for (const std::string& fault : qualified_name_faults(name)) place.invalid_string(name, fault);
  if (name.find('/') != std::string_view::npos) return;
  if (listed("kubernetes,orphan,foregroundDeletion", name)) return;
  place.invalid_string(name, "name is neither a standard finalizer name nor is it fully qualified");
}

// On create, upstream's path has no index.
void own_finalizers(const Place& place) {
  for (const Field item : place.now.items()) check_finalizer(place.now, item.text());
}

void validate_finalize(Subresource, const Field& object, const Field&) {
  const Field spec = object["spec"];
  const Field finalizers = spec["finalizers"];
  for (const Field item : finalizers.items()) check_finalizer(item, item.text());
}

void phase(const Place& place) {
  const bool deleted = place.root->at({"metadata", "deletionTimestamp"}) != nullptr;
  const Field status = place.now["status"];
  const Field phase = status.as("Phase", status["phase"]);
  if (!phase.is(deleted ? "Terminating" : "Active")) {
    phase.invalid(deleted ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
                          : "may only be 'Active' if `deletionTimestamp` is empty");
  }
}

}  // namespace

extern const NamedCheck kNamespaceChecks[] = {
    {"own-finalizers", &own_finalizers},
    {"phase", &phase},
};

extern const Kind kNamespaceKind{.group = "",
                                 .kind = "Namespace",
                                 .strategy = {.names = kLabelName,
                                              .meta_passes = {"CF", "CFUF", "UF"},
                                              .reset_fields = kNamespaceResets,
                                              .returns_deleted_object = true,
                                              .initial_status = R"({"phase":"Active"})",
                                              .set_defaults = &set_namespace_defaults,
                                              .prepare_for_create = &prepare_namespace_for_create,
                                              .prepare_for_update = &prepare_namespace_for_update,
                                              .validate_subresource = &validate_finalize,
                                              .blocks_deletion = &namespace_holds_deletion,
                                              .start_deletion = &start_namespace_deletion},
                                 .rules = &kNamespaceRules,
                                 .print = &print_namespace};

}  // namespace tabernetes::registry::kinds
