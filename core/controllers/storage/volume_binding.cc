#include "controllers/storage/volume_binding.h"

#include <algorithm>
#include <optional>

#include "base/api/quantity.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/selectors/selector_object.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kOldClass = "volume.beta.kubernetes.io/storage-class";

Quantity amount_at(const Value& object, std::initializer_list<std::string_view> path) {
  const Value* value = object.at(path);
  std::string_view error;
  if (value == nullptr || !value->is_string()) return {};
  return Quantity::parse(value->as_string(), error).value_or(Quantity());
}

// Returns the volume mode of a claim or a volume.
std::string_view mode_of(const Value& object) {
  return text_if_set(object, {"spec", "volumeMode"}, "Filesystem");
}

bool has_access_modes(const Value& volume, const Value& claim) {
  const json::Range<Value> offered = items_at(volume, {"spec", "accessModes"});
  for (const Value& wanted : items_at(claim, {"spec", "accessModes"})) {
    if (std::none_of(offered.begin(), offered.end(),
                     [&](const Value& mode) { return mode.as_string() == wanted.as_string(); })) {
      return false;
    }
  }
  return true;
}

bool is_selected(const Value& volume, const Value& claim) {
  const Value* selector = claim.at({"spec", "selector"});
  if (selector == nullptr) return true;
  const auto read = registry::read_label_selector(*selector);
  return read && read->matches_by([&](std::string_view key) -> std::optional<std::string_view> {
    const Value* label = volume.at({"metadata", "labels", key});
    if (label == nullptr) return std::nullopt;
    return label->as_string();
  });
}

}  // namespace

bool has_annotation(const Value& object, std::string_view name) {
  return object.at({"metadata", "annotations", name}) != nullptr;
}

void annotate(Value& object, std::string_view name, std::string_view text, json::Arena& arena) {
  object_or_new(object_or_new(object, "metadata", arena), "annotations", arena)
      .set(arena, name, text_value(text, arena));
}

std::string_view storage_class_of(const Value& object) {
  const std::string_view old = text_at(object, {"metadata", "annotations", kOldClass});
  return old.empty() ? text_at(object, {"spec", "storageClassName"}) : old;
}

bool waits_for_consumer(const ReconcileContext& cluster, std::string_view storage_class) {
  if (storage_class.empty()) return false;
  const Value object = get(cluster, kStorageClasses, {}, storage_class);
  return !object.is_null() && object.string_at("volumeBindingMode") == "WaitForFirstConsumer";
}

bool is_bound_to(const Value& volume, const Value& claim) {
  const Value* reference = volume.at({"spec", "claimRef"});
  if (reference == nullptr || reference->string_at("name") != name_of(claim) ||
      reference->string_at("namespace") != namespace_of(claim)) {
    return false;
  }
  const std::string_view uid = reference->string_at("uid");
  return uid.empty() || uid == uid_of(claim);
}

std::string mismatch(const Value& volume, const Value& claim) {
  if (is_terminating(volume)) {
    return "the volume is marked for deletion \"" + std::string(name_of(volume)) + "\"";
  }
  if (amount_at(volume, {"spec", "capacity", "storage"})
          .compare(amount_at(claim, {"spec", "resources", "requests", "storage"})) < 0) {
    return "requested PV is too small";
  }
  if (storage_class_of(volume) != storage_class_of(claim)) return "storageClassName does not match";
  if (text_at(volume, {"spec", "volumeAttributesClassName"}) !=
      text_at(claim, {"spec", "volumeAttributesClassName"})) {
    return "volumeAttributesClassName does not match";
  }
  if (mode_of(volume) != mode_of(claim)) return "incompatible volumeMode";
  if (!has_access_modes(volume, claim)) return "incompatible accessMode";
  return {};
}

const Value* find_volume(const std::vector<Value>& volumes, const Value& claim, bool waits) {
  const Value* smallest = nullptr;
  Quantity size;
  for (const Value& volume : volumes) {
    const bool is_reserved = volume.at({"spec", "claimRef"}) != nullptr;
    if (is_reserved && !is_bound_to(volume, claim)) continue;
    const Quantity capacity = amount_at(volume, {"spec", "capacity", "storage"});
    if (capacity.compare(amount_at(claim, {"spec", "resources", "requests", "storage"})) < 0 ||
        mode_of(volume) != mode_of(claim) || is_terminating(volume) ||
        text_at(volume, {"spec", "volumeAttributesClassName"}) !=
            text_at(claim, {"spec", "volumeAttributesClassName"}) ||
        !has_access_modes(volume, claim)) {
      continue;
    }
    if (is_reserved) return &volume;
    if (waits || text_at(volume, {"status", "phase"}) != "Available" ||
        !is_selected(volume, claim) || storage_class_of(volume) != storage_class_of(claim)) {
      continue;
    }
    if (smallest == nullptr || capacity.compare(size) < 0) {
      smallest = &volume;
      size = capacity;
    }
  }
  return smallest;
}

Value claim_reference(const Value& claim, json::Arena& arena) {
  return object_of(
      {{"kind", Value::string("PersistentVolumeClaim")},
       {"namespace", text_value(namespace_of(claim), arena)},
       {"name", text_value(name_of(claim), arena)},
       {"uid", text_value(uid_of(claim), arena)},
       {"apiVersion", Value::string("v1")},
       {"resourceVersion", text_value(text_at(claim, {"metadata", "resourceVersion"}), arena)}},
      arena);
}

}  // namespace tabernetes::controllers
