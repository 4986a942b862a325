// PersistentVolume. Source: upstream 1.36 pkg/apis/core/validation.
#include <algorithm>
#include <string>
#include <utility>

#include "base/time/rfc3339.h"
#include "json/access.h"
#include "json/equality.h"
#include "kinds/core/volume_parts.h"
#include "kinds/row/kind.h"
#include "kinds/shared/node_selectors.h"
#include "kinds/volumes/old_plugins.h"
#include "kinds/volumes/sources.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"
#include "rules/internal_form.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kPersistentVolumeRules, R"(
spec &volume-spec
on update
 spec &volume-spec
 @volume-change
)");

TAB_DEFAULTS(kPersistentVolumeDefaults, R"(
spec made
 persistentVolumeReclaimPolicy default=Retain
 volumeMode fill=Filesystem
 &source-defaults
status made
 phase default=Pending
)");

namespace {

using json::Value;

// Returns true for equal sources. A controllerExpandSecretRef may be added to a CSI source.
bool same_source(const Value* now, const Value* old) {
  if (json::deep_equal(now, old)) return true;
  if (now == nullptr || old == nullptr || old->find("controllerExpandSecretRef") != nullptr) {
    return false;
  }
  json::Arena arena;
  Value without = now->shallow_copy(arena);
  return without.erase("controllerExpandSecretRef") && json::deep_equal(without, *old);
}

// Returns the general name of a label that had another one in beta, or an empty text.
std::string_view general_label(std::string_view beta) {
  static constexpr std::pair<std::string_view, std::string_view> kLabels[] = {
      {"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"},
      {"failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"},
      {"beta.kubernetes.io/os", "kubernetes.io/os"},
      {"beta.kubernetes.io/arch", "kubernetes.io/arch"},
      {"beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"}};
  for (const auto& [old, now] : kLabels) {
    if (old == beta) return now;
  }
  return {};
}

// Returns true for equal affinities; keys of requirements may have become general ones.
bool same_affinity(const Value* now, const Value& old) {
  if (json::deep_equal(now, &old)) return true;
  if (now == nullptr) return false;
  json::Arena arena;
  Value before = old.clone(arena);
  const auto terms = items_at(*now, {"required", "nodeSelectorTerms"});
  const auto old_terms = items_at(before, {"required", "nodeSelectorTerms"});
  for (std::size_t i = 0; i < std::min(terms.size(), old_terms.size()); ++i) {
    for (const std::string_view list : {"matchExpressions", "matchFields"}) {
      const auto items = items_in(terms[i], list);
      const auto old_items = items_in(old_terms[i], list);
      for (std::size_t j = 0; j < std::min(items.size(), old_items.size()); ++j) {
        // As upstream, a label without a general name may lose its name.
        const std::string_view key = items[j].string_at("key");
        if (general_label(old_items[j].string_at("key")) != key) continue;
        Value renamed = old_items[j];
        renamed.set(arena, "key", Value::string(key));
      }
    }
  }
  return json::deep_equal(*now, before);
}

void volume_change(const Place& place) {
  const Field spec = place.now["spec"];
  const Value* old = place.old->find("spec");
  if (old == nullptr) return;
  for (const PersistentSource& source : persistent_sources()) {
    if (same_source(spec.find(source.field), old->find(source.field))) continue;
    spec["persistentvolumesource"].forbidden(
        "spec.persistentvolumesource is immutable after creation\n" +
        shown_difference(*old, *spec.value(), "core.v1.PersistentVolumeSource"));
    break;
  }
  if (!json::deep_equal(spec.find("volumeMode"), old->find("volumeMode"))) {
    place.now.as("volumeMode", spec["volumeMode"])
        .invalid_printed(spec.has("volumeMode") ? spec["volumeMode"].printed() : "null",
                         field::kImmutable);
  }
  const Value* affinity = old->find("nodeAffinity");
  if (affinity != nullptr && !same_affinity(spec.find("nodeAffinity"), *affinity)) {
    const Field now = spec["nodeAffinity"];
    place.now.as("nodeAffinity", now)
        .invalid_printed(
            now.present() ? print_internal(now, "core.v1.VolumeNodeAffinity") : "null",
            std::string(field::kImmutable) + ", except for updating from beta label to GA");
  }
  if (old->find("volumeAttributesClassName") != nullptr && !spec.has("volumeAttributesClassName")) {
    spec["volumeAttributesClassName"].forbidden("update from non-nil value to nil is forbidden");
  }
}

void prepare_persistent_volume_for_create(const HookContext& context, Value& volume) {
  if (Value* status = object_in(volume, "status")) {
    status->set(context.arena, "lastPhaseTransitionTime",
                Value::string(context.arena.copy(format_rfc3339(context.now))));
  }
}

void prepare_persistent_volume_subresource(const HookContext& context, Subresource subresource,
                                           Value& volume, const Value& old) {
  constexpr std::string_view kSince = "lastPhaseTransitionTime";
  Value* status = object_in(volume, "status");
  const Value* before = old.find("status");
  if (subresource != Subresource::kStatus || status == nullptr || before == nullptr) return;
  if (status->string_at("phase") == before->string_at("phase")) {
    const Value* since = before->find(kSince);
    if (status->find(kSince) == nullptr && since != nullptr) {
      status->set(context.arena, kSince, *since);
    }
    return;
  }
  if (status->find(kSince) != nullptr && status->string_at(kSince) != before->string_at(kSince)) {
    return;
  }
  status->set(context.arena, kSince,
              Value::string(context.arena.copy(format_rfc3339(context.now))));
}

constexpr OldPlugin kOldPlugins[] = {
    {"cephfs", kRemovedIn31},    {"photonPersistentDisk", kRemovedIn16},
    {"scaleIO", kRemovedIn22},   {"storageos", kRemovedIn25},
    {"glusterfs", kRemovedIn26}, {"rbd", kRemovedIn31},
};

void warn_of_persistent_volume(const Field& object, const Value*, Warnings& out) {
  warn_of_annotation(object, kClassAnnotation, kUseClass, out);
  warn_of_annotation(object, "volume.beta.kubernetes.io/mount-options",
                     "deprecated since v1.31; use \"mountOptions\" attribute instead", out);
  const Field spec = object["spec"];
  if (spec.text_at("persistentVolumeReclaimPolicy") == "Recycle") {
    out.at(spec["persistentVolumeReclaimPolicy"],
           {"The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use "
            "dynamic provisioning."});
  }
  const Field affinity = spec["nodeAffinity"];
  const Field required = affinity["required"];
  const Field terms = required["nodeSelectorTerms"];
  for (const Field term : terms.items()) warn_of_node_term(term, false, out);
  for (const OldPlugin& plugin : kOldPlugins) {
    if (spec.has(plugin.name)) out.at(spec[old_plugin_path(plugin.name)], {plugin.text});
  }
}

std::string claim_text(const Value& volume) {
  if (!has(volume, {"spec", "claimRef"})) return {};
  return std::string(text_at(volume, {"spec", "claimRef", "namespace"})) + "/" +
         std::string(text_at(volume, {"spec", "claimRef", "name"}));
}

void print_persistent_volume(const Value& object, Row& row) {
  row.name(object);
  row.text(capacity_text(object.at({"spec", "capacity", "storage"})));
  row.text(access_modes_text(items_at(object, {"spec", "accessModes"})));
  row.text(text_at(object, {"spec", "persistentVolumeReclaimPolicy"}));
  row.text(volume_status(object));
  row.text(claim_text(object));
  row.text(storage_class_of(object));
  row.text(text_if_set(object, {"spec", "volumeAttributesClassName"}, kUnset));
  row.text(text_at(object, {"status", "reason"}));
  row.age(object);
  row.text(text_if_set(object, {"spec", "volumeMode"}, kUnset));
}

}  // namespace

extern const NamedCheck kPersistentVolumeChecks[] = {
    {"volume-change", &volume_change},
};

extern const Kind kPersistentVolumeKind{
    .group = "",
    .kind = "PersistentVolume",
    .strategy = {.meta_passes = {"CF", "CFCF", "UF"},
                 .returns_deleted_object = true,
                 .initial_status = R"({"phase":"Pending"})",
                 .prepare_for_create = &prepare_persistent_volume_for_create,
                 .prepare_subresource = &prepare_persistent_volume_subresource,
                 .warnings = &warn_of_persistent_volume},
    .rules = &kPersistentVolumeRules,
    .defaults = &kPersistentVolumeDefaults,
    .print = &print_persistent_volume};

}  // namespace tabernetes::registry::kinds
