#include "controllers/storage/protection.h"

#include <algorithm>
#include <string>
#include <vector>

#include "controllers/shared/objects.h"
#include "controllers/storage/pod_claims.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr Resource kAttributesClasses{"storage.k8s.io", "v1", "volumeattributesclasses"};
constexpr std::string_view kClaimFinalizer = "kubernetes.io/pvc-protection";
constexpr std::string_view kVolumeFinalizer = "kubernetes.io/pv-protection";
constexpr std::string_view kClassFinalizer = "kubernetes.io/vac-protection";

bool has_finalizer(const Value& object, std::string_view finalizer) {
  const json::Range<Value> finalizers = items_at(object, {"metadata", "finalizers"});
  return std::any_of(finalizers.begin(), finalizers.end(),
                     [&](const Value& item) { return item.as_string() == finalizer; });
}

// Adds the finalizer to an object that lives, removes it from one that may go.
void protect(const ReconcileContext& cluster, const registry::ObjectRef& ref, const Value& object,
             std::string_view finalizer, bool in_use) {
  json::Arena& arena = cluster.arena;
  const bool protects = has_finalizer(object, finalizer);
  if (is_terminating(object) ? !protects || in_use : protects) return;
  (void)update(cluster, ref, [&](Value& changed) {
    Value& metadata = *changed.find("metadata");
    Value finalizers = Value::array(arena);
    for (const Value& item : items_in(metadata, "finalizers")) {
      if (item.as_string() != finalizer) finalizers.push_back(arena, item);
    }
    if (!protects) finalizers.push_back(arena, Value::string(finalizer));
    metadata.erase("finalizers");
    if (finalizers.size() > 0) metadata.set(arena, "finalizers", finalizers);
  });
}

bool is_claim_in_use(const ReconcileContext& cluster, const Value& claim) {
  const registry::ResourceType& pods = type_of(cluster.registry, kPods);
  for (const PodSummary* pod : cluster.informers.pods_in(namespace_of(claim))) {
    if (pod->node.empty() || !pod->uses_claims) continue;
    json::Arena arena;
    const std::vector<std::string> used =
        claims_of(registry::read_object(pods, *pod->record, arena));
    if (std::find(used.begin(), used.end(), name_of(claim)) != used.end()) return true;
  }
  return false;
}

}  // namespace

void ClaimProtection::on_change(const registry::Registry&, const WatchEvent& change) {
  if (is(change.type, kPersistentVolumeClaims)) {
    if (change.now != nullptr) queue_.add(queue_key(change.ns, change.name), change.due());
  } else if (change.now == nullptr && change.pod_before != nullptr &&
             change.pod_before->uses_claims) {
    for (const std::string& claim : claims_of(change.object_before.get())) {
      queue_.add(queue_key(change.ns, claim), change.due());
    }
  }
}

void ClaimProtection::reconcile(const ReconcileContext& cluster, const std::string& key) {
  const auto [ns, name] = split_queue_key(key);
  const Value claim = get(cluster, kPersistentVolumeClaims, ns, name);
  if (claim.is_null()) return;
  const bool in_use = is_terminating(claim) && is_claim_in_use(cluster, claim);
  protect(cluster, ref_of(cluster, kPersistentVolumeClaims, claim), claim, kClaimFinalizer, in_use);
}

void VolumeProtection::on_change(const registry::Registry&, const WatchEvent& change) {
  if (is(change.type, kPersistentVolumes) && change.now != nullptr) {
    queue_.add(change.name, change.due());
  }
}

void VolumeProtection::reconcile(const ReconcileContext& cluster, const std::string& key) {
  const Value volume = get(cluster, kPersistentVolumes, {}, key);
  if (volume.is_null()) return;
  protect(cluster, ref_of(cluster, kPersistentVolumes, volume), volume, kVolumeFinalizer,
          text_at(volume, {"status", "phase"}) == "Bound");
}

void AttributesClassProtection::on_change(const registry::Registry&, const WatchEvent& change) {
  if (is(change.type, kAttributesClasses)) {
    if (change.now != nullptr) queue_.add(change.name, change.due());
    return;
  }
  if (!is(change.type, kPersistentVolumeClaims) && !is(change.type, kPersistentVolumes)) return;
  if (change.before == nullptr) return;
  const Value& object = change.object_before.get();
  for (const std::string_view name :
       {text_at(object, {"spec", "volumeAttributesClassName"}),
        text_at(object, {"status", "currentVolumeAttributesClassName"})}) {
    if (!name.empty()) queue_.add(name, change.due());
  }
}

void AttributesClassProtection::reconcile(const ReconcileContext& cluster, const std::string& key) {
  const Value object = get(cluster, kAttributesClasses, {}, key);
  if (object.is_null()) return;
  bool in_use = false;
  if (is_terminating(object)) {
    for (const Resource& resource : {kPersistentVolumeClaims, kPersistentVolumes}) {
      for (const Value& user : list(cluster, resource)) {
        in_use = in_use || text_at(user, {"spec", "volumeAttributesClassName"}) == key ||
                 text_at(user, {"status", "currentVolumeAttributesClassName"}) == key;
      }
    }
  }
  protect(cluster, {&type_of(cluster.registry, kAttributesClasses), {}, key}, object,
          kClassFinalizer, in_use);
}

}  // namespace tabernetes::controllers
