// PersistentVolumeClaim. Source: upstream 1.36 pkg/apis/core/validation.
#include <string>

#include "base/api/quantity.h"
#include "base/go/text.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"
#include "kinds/core/volume_parts.h"
#include "kinds/row/kind.h"
#include "kinds/shared/checks.h"
#include "kinds/shared/resource_names.h"
#include "kinds/volumes/claim_spec.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kPersistentVolumeClaimRules, R"(
spec &claim-spec
on update
 spec &claim-spec
 @claim-change
on status
 status
  capacity{} @quantity
  allocatedResourceStatuses @resize-statuses
  allocatedResources @claim-resources
)");

TAB_DEFAULTS(kPersistentVolumeClaimDefaults, R"(
spec made
 volumeMode fill=Filesystem
status made
 phase default=Pending
)");

namespace {

using json::Value;

bool is_claim_resource(const Field& map, std::string_view name) {
  const Faults faults = qualified_name_faults(name);
  for (const std::string& fault : faults) map.invalid_string(name, fault);
  if (!faults.empty()) return false;
  if (!is_native_resource(name) || name == "storage") return true;
  map.errors().push_back(field::not_supported(map.path(), go_quote(name), {"storage"}));
  return false;
}

void resize_statuses(const Place& place) {
  constexpr std::string_view kStatuses =
      "ControllerResizeInProgress,ControllerResizeInfeasible,NodeResizePending,"
      "NodeResizeInProgress,NodeResizeInfeasible";
  if (place.now.empty()) return;
  for (const Field item : place.now.items()) {
    is_claim_resource(place.now, item.name());
    if (listed(kStatuses, item.text())) continue;
    place.now.errors().push_back(field::not_supported(
        place.now.path(), go_quote(item.name()),
        {"ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress",
         "NodeResizeInfeasible", "NodeResizePending"}));
  }
}

void claim_resources(const Place& place) {
  if (place.now.empty()) return;
  for (const Field item : place.now.items()) {
    if (!is_claim_resource(place.now, item.name())) continue;
    const std::size_t before = item.errors().size();
    check_quantity({item, nullptr, place.write, place.root});
    if (item.errors().size() == before) check_resource_amount(item, "storage");
  }
}

// Makes a member of `now` equal to the one in `old`.
void keep(Value& now, const Value* old, std::string_view name, json::Arena& arena) {
  const Value* before = old == nullptr ? nullptr : old->find(name);
  if (before == nullptr) {
    now.erase(name);
  } else {
    now.set(arena, name, *before);
  }
}

// Mutable members are made equal before the specs are compared.
void keep_claim(const Field& spec, const Value& was, bool bound) {
  constexpr std::string_view kClass = "volumeAttributesClassName";
  json::Arena arena;
  Value now = spec.value()->clone(arena);
  Value old = was.clone(arena);
  if (old.string_at("volumeName").empty()) keep(old, &now, "volumeName", arena);
  if (old.find("storageClassName") == nullptr) now.erase("storageClassName");
  if (bound) {
    Value* resources = now.find("resources");
    Value* requests = resources == nullptr ? nullptr : resources->find("requests");
    if (requests != nullptr) keep(*requests, old.at({"resources", "requests"}), "storage", arena);
    if (now.find(kClass) != nullptr) keep(now, &old, kClass, arena);
  }
  if (json::deep_equal(now, old)) return;
  spec.forbidden(
      "spec is immutable after creation except resources.requests and volumeAttributesClassName "
      "for bound claims\n" +
      shown_difference(old, now, "core.v1.PersistentVolumeClaimSpec"));
}

void claim_change(const Place& place) {
  const Field spec = place.now["spec"];
  const Value* old = place.old->find("spec");
  if (old == nullptr || !spec.present()) return;
  const Value* phase = place.root->at({"status", "phase"});
  keep_claim(spec, *old, phase != nullptr && phase->as_string() == "Bound");
  const Value* before = old->at({"resources", "requests", "storage"});
  const Field resources = spec["resources"];
  const Field requests = resources["requests"];
  const Field storage = requests["storage"];
  if (before != nullptr && storage.present()) {
    std::string_view error;
    const auto size_before = Quantity::parse(before->as_string(), error);
    const Value* capacity = place.old->at({"status", "capacity", "storage"});
    const auto has = capacity == nullptr
                         ? Quantity()
                         : Quantity::parse(capacity->as_string(), error).value_or(Quantity());
    const Quantity now = quantity_of(storage);
    if (size_before && now.compare(*size_before) < 0 && now.compare(has) <= 0) {
      storage.forbidden("field can not be less than status.capacity");
    }
  }
  if (!json::deep_equal(spec.find("volumeMode"), old->find("volumeMode"))) {
    place.now.as("volumeMode", spec["volumeMode"])
        .invalid_printed(spec.has("volumeMode") ? spec["volumeMode"].printed() : "null",
                         field::kImmutable);
  }
}

// Makes a reference of another's members: both fields say the same.
void copy_data_source(Value& spec, const Value& from, std::string_view to, json::Arena& arena) {
  Value copy = Value::object(arena);
  for (const std::string_view name : {"apiGroup", "kind", "name"}) {
    if (const Value* member = from.find(name)) copy.set(arena, name, *member);
  }
  spec.set(arena, to, copy);
}

bool is_known_data_source(const Value& source) {
  const std::string_view kind = source.string_at("kind");
  const std::string_view group = source.string_at("apiGroup");
  return (kind == "PersistentVolumeClaim" && group.empty()) ||
         (kind == "VolumeSnapshot" && group == "snapshot.storage.k8s.io");
}

// dataSource is that of old clients: other kinds than theirs are dropped, and dataSourceRef has the
// same contents. Source: upstream EnforceDataSourceBackwardsCompatibility, NormalizeDataSources.
void unite_data_sources(Value& claim, const Value* old, json::Arena& arena) {
  Value* spec = object_in(claim, "spec");
  if (spec == nullptr) return;
  const bool in_use = old != nullptr && (old->at({"spec", "dataSource"}) != nullptr ||
                                         old->at({"spec", "dataSourceRef"}) != nullptr);
  const Value* reference = spec->find("dataSourceRef");
  const Value* source = spec->find("dataSource");
  if (!in_use && reference == nullptr && source != nullptr && !is_known_data_source(*source)) {
    spec->erase("dataSource");
    return;
  }
  if (source != nullptr && reference == nullptr) {
    copy_data_source(*spec, Value(*source), "dataSourceRef", arena);
  } else if (reference != nullptr && source == nullptr &&
             reference->string_at("namespace").empty()) {
    copy_data_source(*spec, Value(*reference), "dataSource", arena);
  }
}

void prepare_persistent_volume_claim_for_create(const HookContext& context, Value& claim) {
  unite_data_sources(claim, nullptr, context.arena);
}

void prepare_persistent_volume_claim_for_update(const HookContext& context, Value& claim,
                                                const Value& old) {
  unite_data_sources(claim, &old, context.arena);
}

void warn_of_persistent_volume_claim(const Field& object, const Value*, Warnings& out) {
  warn_of_annotation(object, kClassAnnotation, kUseClass, out);
  const Field spec = object["spec"];
  warn_of_claim_spec(spec["resources"], out);
}

void print_persistent_volume_claim(const Value& object, Row& row) {
  const std::string_view volume = text_at(object, {"spec", "volumeName"});
  row.name(object);
  row.text(volume_status(object));
  row.text(volume);
  row.text(volume.empty() ? std::string()
                          : capacity_text(object.at({"status", "capacity", "storage"})));
  row.text(volume.empty() ? std::string()
                          : access_modes_text(items_at(object, {"status", "accessModes"})));
  row.text(storage_class_of(object));
  row.text(text_if_set(object, {"spec", "volumeAttributesClassName"}, kUnset));
  row.age(object);
  row.text(text_if_set(object, {"spec", "volumeMode"}, kUnset));
}

}  // namespace

extern const NamedCheck kPersistentVolumeClaimChecks[] = {
    {"resize-statuses", &resize_statuses},
    {"claim-resources", &claim_resources},
    {"claim-change", &claim_change},
};

extern const Kind kPersistentVolumeClaimKind{
    .group = "",
    .kind = "PersistentVolumeClaim",
    .strategy = {.meta_passes = {"CF", "UFCF", "UF"},
                 .returns_deleted_object = true,
                 .initial_status = R"({"phase":"Pending"})",
                 .prepare_for_create = &prepare_persistent_volume_claim_for_create,
                 .prepare_for_update = &prepare_persistent_volume_claim_for_update,
                 .warnings = &warn_of_persistent_volume_claim},
    .rules = &kPersistentVolumeClaimRules,
    .defaults = &kPersistentVolumeClaimDefaults,
    .print = &print_persistent_volume_claim};

}  // namespace tabernetes::registry::kinds
