#include "controllers/storage/ephemeral_volumes.h"

#include "controllers/shared/event_recorder.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

bool has_ephemeral_volume(const Value& pod) {
  for (const Value& volume : items_at(pod, {"spec", "volumes"})) {
    if (volume.find("ephemeral") != nullptr) return true;
  }
  return false;
}

// How long after its creation a pod gets its claims. The scheduler is quicker, as upstream's.
constexpr Duration kNewPodDelay = Duration::from_milliseconds(2);

// Returns the claim of a volume, which the pod controls.
Value claim_for(const Value& pod, const Value& volume, const std::string& name,
                json::Arena& arena) {
  Value metadata = Value::object(arena);
  metadata.append(arena, "name", text_value(name, arena));
  const Value* claim_template = volume.at({"ephemeral", "volumeClaimTemplate"});
  for (const std::string_view member : {"labels", "annotations"}) {
    const Value* given = claim_template->at({"metadata", member});
    if (given != nullptr) metadata.append(arena, member, given->clone(arena));
  }
  Value owners = Value::array(arena);
  owners.push_back(arena, controller_ref_to(kPods, "Pod", pod, arena));
  metadata.append(arena, "ownerReferences", owners);
  const Value* spec = claim_template->find("spec");
  return object_of({{"metadata", metadata},
                    {"spec", spec == nullptr ? Value::object(arena) : spec->clone(arena)}},
                   arena);
}

}  // namespace

void EphemeralVolumes::on_change(const registry::Registry&, const WatchEvent& change) {
  if (change.pod != nullptr && change.pod_before == nullptr) {
    if (has_ephemeral_volume(change.object_now.get())) {
      queue_.add(queue_key(change.ns, change.name), change.due() + kNewPodDelay);
    }
  } else if (is(change.type, kPersistentVolumeClaims) && change.now == nullptr) {
    const Value* owner = controller_of(change.object_before.get());
    if (owner != nullptr && owner->string_at("kind") == "Pod") {
      queue_.add(queue_key(change.ns, owner->string_at("name")), change.due());
    }
  }
}

Result<void> EphemeralVolumes::sync(const ReconcileContext& cluster, const std::string& key) {
  const auto [ns, name] = split_queue_key(key);
  const Value pod = get(cluster, kPods, ns, name);
  if (pod.is_null() || is_terminating(pod)) return {};
  for (const Value& volume : items_at(pod, {"spec", "volumes"})) {
    if (volume.at({"ephemeral", "volumeClaimTemplate"}) == nullptr) continue;
    const std::string claim_name = std::string(name) + "-" + std::string(volume.string_at("name"));
    const Value present = get(cluster, kPersistentVolumeClaims, ns, claim_name);
    std::string error;
    Result<void> result;
    if (present.is_null()) {
      auto created = create(cluster, kPersistentVolumeClaims, ns,
                            claim_for(pod, volume, claim_name, cluster.arena));
      if (created) continue;
      error = "create PVC " + claim_name + ": " + created.error().message;
      result = std::move(created).failure();
    } else {
      const Value* owner = controller_of(present);
      if (owner != nullptr && owner->string_at("uid") == uid_of(pod)) continue;
      error = "PVC " + std::string(ns) + "/" + claim_name + " was not created for pod " + key +
              " (pod is not owner)";
      result = errors::conflict({"", "persistentvolumeclaims"}, claim_name, error);
    }
    record_event(cluster, ref_of(cluster, kPods, pod),
                 {"ephemeral_volume", "Warning", "FailedBinding",
                  "ephemeral volume " + std::string(volume.string_at("name")) + ": " + error});
    return result;
  }
  return {};
}

}  // namespace tabernetes::controllers
