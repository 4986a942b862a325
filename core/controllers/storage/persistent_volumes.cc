#include "controllers/storage/persistent_volumes.h"

#include <algorithm>
#include <string>

#include "controllers/shared/event_recorder.h"
#include "controllers/shared/objects.h"
#include "controllers/storage/provisioner.h"
#include "controllers/storage/volume_binding.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kVolumeSource = "persistentvolume-controller";
constexpr std::string_view kProvisioner = "volume.kubernetes.io/storage-provisioner";
constexpr std::string_view kOldProvisioner = "volume.beta.kubernetes.io/storage-provisioner";
constexpr std::string_view kDefaultClass = "storageclass.kubernetes.io/is-default-class";
// How often claims that wait are looked at again.
constexpr Duration kClaimInterval = Duration::from_seconds(15);
// How long after a change an unbound claim is looked at. The scheduler is quicker: it finds claims
// that were made with a pod unbound, as upstream's does.
constexpr Duration kUnboundClaimDelay = Duration::from_milliseconds(15);

std::string_view phase_of(const Value& object) { return text_at(object, {"status", "phase"}); }

void tell_of_claim(const ReconcileContext& cluster, const Value& claim, std::string_view type,
                   std::string_view reason, std::string_view message) {
  record_event(cluster, ref_of(cluster, kPersistentVolumeClaims, claim),
               {kVolumeSource, type, reason, message});
}

// Returns the volume as it is then.
void set_volume_phase(const ReconcileContext& cluster, std::string_view name,
                      std::string_view phase, std::string_view message = {}) {
  const registry::ObjectRef ref{&type_of(cluster.registry, kPersistentVolumes), {}, name};
  (void)update_status(cluster, ref, [&](Value& object) {
    if (phase_of(object) == phase) return;
    Value& status = object_or_new(object, "status", cluster.arena);
    status.set(cluster.arena, "phase", Value::string(phase));
    status.erase("message");
    if (!message.empty()) {
      status.set(cluster.arena, "message", text_value(message, cluster.arena));
    }
  });
}

// Sets the claim's phase; a bound one takes on what its volume has.
void set_claim_phase(const ReconcileContext& cluster, const Value& claim, std::string_view phase,
                     const Value* volume) {
  json::Arena& arena = cluster.arena;
  (void)update_status(cluster, ref_of(cluster, kPersistentVolumeClaims, claim), [&](Value& object) {
    Value& status = object_or_new(object, "status", arena);
    const bool changes = phase_of(object) != phase;
    status.set(arena, "phase", Value::string(phase));
    if (volume == nullptr) {
      for (const std::string_view member :
           {"accessModes", "capacity", "currentVolumeAttributesClassName"}) {
        status.erase(member);
      }
      return;
    }
    const Value& spec = *volume->find("spec");
    take_member(status, spec, "accessModes", arena);
    if (!changes) return;
    take_member(status, spec, "capacity", arena);
    if (const Value* attributes = spec.find("volumeAttributesClassName")) {
      status.set(arena, "currentVolumeAttributesClassName", *attributes);
    }
  });
}

// Returns whether what is behind the volume may be deleted: a directory of the host in `/tmp`.
bool has_temporary_path(const Value& volume) {
  constexpr std::string_view kTemporary = "/tmp/";
  const std::string_view path = text_at(volume, {"spec", "hostPath", "path"});
  const std::size_t at = path.find(kTemporary);
  return at != std::string_view::npos && at + kTemporary.size() < path.size();
}

std::string why_not_deletable(const Value& volume) {
  if (volume.at({"spec", "hostPath"}) != nullptr) {
    return "host_path deleter only supports /tmp/.+ but received provided " +
           std::string(text_at(volume, {"spec", "hostPath", "path"}));
  }
  return "error getting deleter volume plugin for volume \"" + std::string(name_of(volume)) +
         "\": no deletable volume plugin matched";
}

// Lets the volume go from a claim that is bound to another one.
void unbind(const ReconcileContext& cluster, const Value& volume) {
  (void)update(cluster, ref_of(cluster, kPersistentVolumes, volume), [&](Value& object) {
    Value& spec = *object.find("spec");
    if (!has_annotation(object, kBoundByController)) {
      spec.find("claimRef")->erase("uid");
      return;
    }
    spec.erase("claimRef");
    Value& metadata = *object.find("metadata");
    metadata.find("annotations")->erase(kBoundByController);
    if (metadata.find("annotations")->size() == 0) metadata.erase("annotations");
  });
  set_volume_phase(cluster, name_of(volume), "Available");
}

}  // namespace

void PersistentVolumes::resync() {
  volumes_.clear();
  claims_.clear();
  provisioned_.clear();
}

std::optional<Time> PersistentVolumes::next() const {
  const std::optional<Time> volume = volumes_.next();
  const std::optional<Time> claim = claims_.next();
  if (!volume || !claim) return volume ? volume : claim;
  return std::min(*volume, *claim);
}

std::optional<Time> PersistentVolumes::next_once() const {
  const std::optional<Time> volume = volumes_.next_once();
  const std::optional<Time> claim = claims_.next_once();
  if (!volume || !claim) return volume ? volume : claim;
  return std::min(*volume, *claim);
}

void PersistentVolumes::on_change(const registry::Registry&, const WatchEvent& change) {
  if (is(change.type, kPersistentVolumes)) {
    if (change.now != nullptr) volumes_.add(change.name, change.due());
    const Value* reference = change.object().at({"spec", "claimRef"});
    if (reference != nullptr && change.now == nullptr) {
      claims_.add(queue_key(reference->string_at("namespace"), reference->string_at("name")),
                  change.due());
    }
  } else if (is(change.type, kPersistentVolumeClaims)) {
    const std::string key = queue_key(change.ns, change.name);
    const auto own = provisioned_.find(key);
    if (change.now != nullptr) {
      if (own != provisioned_.end() && own->second == change.now->revision) return;
      const bool unbound = text_at(change.object(), {"spec", "volumeName"}).empty();
      claims_.add(key, unbound ? change.due() + kUnboundClaimDelay : change.due());
      return;
    }
    if (own != provisioned_.end()) provisioned_.erase(own);
    const std::string_view volume = text_at(change.object(), {"spec", "volumeName"});
    if (!volume.empty()) volumes_.add(volume, change.due());
  }
}

void PersistentVolumes::reconcile_due(const ReconcileContext& cluster) {
  const std::optional<Time> volume = volumes_.next();
  const std::optional<Time> claim = claims_.next();
  if (volume && (!claim || *volume <= *claim)) {
    if (const auto name = volumes_.take(cluster.due)) sync_volume(cluster, *name);
  } else if (const auto key = claims_.take(cluster.due)) {
    sync_claim(cluster, *key);
  }
}

// --- Volumes

void PersistentVolumes::sync_volume(const ReconcileContext& cluster, const std::string& name) {
  const Value volume = get(cluster, kPersistentVolumes, {}, name);
  if (volume.is_null()) return;
  const Value* reference = volume.at({"spec", "claimRef"});
  if (reference == nullptr || reference->string_at("uid").empty()) {
    set_volume_phase(cluster, name, "Available");
    // Claims that wait hear of it a moment later.
    if (phase_of(volume) != "Available") return;
    for (const Value& claim : list(cluster, kPersistentVolumeClaims)) {
      if (phase_of(claim) == "Pending" && text_at(claim, {"spec", "volumeName"}).empty() &&
          storage_class_of(claim) == storage_class_of(volume)) {
        claims_.add(queue_key(claim), cluster.now + Duration::from_seconds(1));
      }
    }
    return;
  }
  const std::string_view ns = reference->string_at("namespace");
  Value claim = get(cluster, kPersistentVolumeClaims, ns, reference->string_at("name"));
  if (!claim.is_null() && uid_of(claim) != reference->string_at("uid")) claim = Value();
  if (claim.is_null()) {
    if (phase_of(volume) != "Released" && phase_of(volume) != "Failed") {
      set_volume_phase(cluster, name, "Released");
    }
    reclaim(cluster, get(cluster, kPersistentVolumes, {}, name));
    return;
  }
  const std::string_view bound = text_at(claim, {"spec", "volumeName"});
  if (bound.empty()) {
    if (text_if_set(volume, {"spec", "volumeMode"}, "Filesystem") !=
        text_if_set(claim, {"spec", "volumeMode"}, "Filesystem")) {
      record_event(cluster, ref_of(cluster, kPersistentVolumes, volume),
                   {kVolumeSource, "Warning", "VolumeMismatch",
                    "Cannot bind PersistentVolume to requested PersistentVolumeClaim \"" +
                        std::string(name_of(claim)) + "\" due to incompatible volumeMode."});
      tell_of_claim(cluster, claim, "Warning", "VolumeMismatch",
                    "Cannot bind PersistentVolume \"" + name +
                        "\" to requested PersistentVolumeClaim due to incompatible volumeMode.");
      return;
    }
    claims_.add(queue_key(claim), cluster.now);
  } else if (bound == name) {
    set_volume_phase(cluster, name, "Bound");
  } else if (has_annotation(volume, kProvisionedBy) &&
             text_at(volume, {"spec", "persistentVolumeReclaimPolicy"}) == "Delete") {
    if (phase_of(volume) != "Released" && phase_of(volume) != "Failed") {
      set_volume_phase(cluster, name, "Released");
    }
    reclaim(cluster, get(cluster, kPersistentVolumes, {}, name));
  } else {
    unbind(cluster, volume);
  }
}

void PersistentVolumes::reclaim(const ReconcileContext& cluster, const Value& volume) {
  if (volume.is_null()) return;
  const std::string_view policy = text_at(volume, {"spec", "persistentVolumeReclaimPolicy"});
  const std::string name(name_of(volume));
  const registry::ObjectRef ref = ref_of(cluster, kPersistentVolumes, volume);
  std::string failure;
  std::string_view reason;
  if (policy == "Delete") {
    const std::string_view provisioner =
        text_at(volume, {"metadata", "annotations", kProvisionedBy});
    if (provisioner == kHostless) {
      (void)delete_object(cluster, ref, uid_of(volume));
      return;
    }
    const bool external = (!provisioner.empty() && !provisioner.starts_with("kubernetes.io/")) ||
                          volume.at({"spec", "csi"}) != nullptr;
    if (external) return;
    if (has_temporary_path(volume)) {
      (void)delete_object(cluster, ref, uid_of(volume));
      return;
    }
    reason = "VolumeFailedDelete";
    failure = why_not_deletable(volume);
  } else if (policy == "Recycle") {
    reason = "VolumeFailedRecycle";
    failure = "No recycler plugin found for the volume!";
  } else {
    return;
  }
  if (phase_of(volume) == "Failed") return;
  set_volume_phase(cluster, name, "Failed", failure);
  record_event(cluster, ref, {kVolumeSource, "Warning", reason, failure});
}

// --- Claims

void PersistentVolumes::sync_claim(const ReconcileContext& cluster, const std::string& key) {
  const auto [ns, name] = split_queue_key(key);
  const Value claim = get(cluster, kPersistentVolumeClaims, ns, name);
  if (claim.is_null()) return;
  if (has_annotation(claim, kBindCompleted)) {
    sync_bound_claim(cluster, claim);
  } else {
    sync_unbound_claim(cluster, claim);
  }
}

void PersistentVolumes::try_again(const Value& claim, Time now) {
  claims_.add(queue_key(claim), now + kClaimInterval, Recurrence::kPeriodic);
}

void PersistentVolumes::sync_unbound_claim(const ReconcileContext& cluster, const Value& claim) {
  const std::string_view wanted = text_at(claim, {"spec", "volumeName"});
  if (wanted.empty()) {
    const bool waits = waits_for_consumer(cluster, storage_class_of(claim));
    const std::vector<Value> volumes = list(cluster, kPersistentVolumes);
    if (const Value* volume = find_volume(volumes, claim, waits)) {
      bind(cluster, *volume, claim);
      return;
    }
    if (assign_default_class(cluster, claim)) return;
    if (waits && !has_annotation(claim, kSelectedNode)) {
      tell_of_waiting(cluster, claim);
    } else if (!storage_class_of(claim).empty()) {
      provision(cluster, claim);
      try_again(claim, cluster.now);
      return;
    } else {
      tell_of_claim(cluster, claim, "Normal", "FailedBinding",
                    "no persistent volumes available for this claim and no storage class is set");
    }
    set_claim_phase(cluster, claim, "Pending", nullptr);
    try_again(claim, cluster.now);
    return;
  }

  const Value volume = get(cluster, kPersistentVolumes, {}, wanted);
  if (volume.is_null()) {
    set_claim_phase(cluster, claim, "Pending", nullptr);
  } else if (volume.at({"spec", "claimRef"}) == nullptr) {
    const std::string why = mismatch(volume, claim);
    if (why.empty()) {
      bind(cluster, volume, claim);
      return;
    }
    tell_of_claim(cluster, claim, "Warning", "VolumeMismatch",
                  "Cannot bind to requested volume \"" + std::string(wanted) + "\": " + why);
    set_claim_phase(cluster, claim, "Pending", nullptr);
  } else if (is_bound_to(volume, claim)) {
    bind(cluster, volume, claim);
    return;
  } else {
    tell_of_claim(cluster, claim, "Warning", "FailedBinding",
                  "volume \"" + std::string(wanted) + "\" already bound to a different claim.");
    set_claim_phase(cluster, claim, "Pending", nullptr);
  }
  try_again(claim, cluster.now);
}

void PersistentVolumes::sync_bound_claim(const ReconcileContext& cluster, const Value& claim) {
  const std::string_view name = text_at(claim, {"spec", "volumeName"});
  const auto lose = [&](std::string_view reason, std::string_view message) {
    if (phase_of(claim) == "Lost") return;
    set_claim_phase(cluster, claim, "Lost", nullptr);
    tell_of_claim(cluster, claim, "Warning", reason, message);
  };
  if (name.empty()) {
    lose("ClaimLost",
         "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!");
    return;
  }
  const Value volume = get(cluster, kPersistentVolumes, {}, name);
  if (volume.is_null()) {
    lose("ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!");
    return;
  }
  const Value* reference = volume.at({"spec", "claimRef"});
  if (reference == nullptr || reference->string_at("uid") == uid_of(claim)) {
    bind(cluster, volume, claim);
  } else {
    lose("ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly");
  }
}

bool PersistentVolumes::assign_default_class(const ReconcileContext& cluster, const Value& claim) {
  if (claim.at({"spec", "storageClassName"}) != nullptr ||
      has_annotation(claim, "volume.beta.kubernetes.io/storage-class")) {
    return false;
  }
  Value chosen;
  for (const Value& candidate : list(cluster, kStorageClasses)) {
    if (text_at(candidate, {"metadata", "annotations", kDefaultClass}) != "true") continue;
    // The youngest counts.
    if (chosen.is_null() || time_at(candidate, {"metadata", "creationTimestamp"}) >
                                time_at(chosen, {"metadata", "creationTimestamp"})) {
      chosen = candidate;
    }
  }
  if (chosen.is_null()) return false;
  const auto updated =
      update(cluster, ref_of(cluster, kPersistentVolumeClaims, claim), [&](Value& object) {
        object.find("spec")->set(cluster.arena, "storageClassName", Value::string(name_of(chosen)));
      });
  return static_cast<bool>(updated);
}

void PersistentVolumes::tell_of_waiting(const ReconcileContext& cluster, const Value& claim) {
  std::string pods;
  int count = 0;
  for (const PodSummary* pod : cluster.informers.pods_in(namespace_of(claim))) {
    if (!pod->node.empty() || pod->terminal()) continue;
    json::Arena arena;
    const Value object =
        registry::read_object(type_of(cluster.registry, kPods), *pod->record, arena);
    for (const Value& volume : items_at(object, {"spec", "volumes"})) {
      if (text_at(volume, {"persistentVolumeClaim", "claimName"}) != name_of(claim)) continue;
      pods.append(pods.empty() ? "" : ",").append(pod->name);
      ++count;
      break;
    }
  }
  if (count == 0) {
    tell_of_claim(cluster, claim, "Normal", "WaitForFirstConsumer",
                  "waiting for first consumer to be created before binding");
  } else {
    tell_of_claim(cluster, claim, "Normal", "WaitForPodScheduled",
                  std::string(count == 1 ? "waiting for pod " : "waiting for pods ") + pods +
                      " to be scheduled");
  }
}

void PersistentVolumes::provision(const ReconcileContext& cluster, const Value& claim) {
  const std::string class_name(storage_class_of(claim));
  const Value storage_class = get(cluster, kStorageClasses, {}, class_name);
  if (storage_class.is_null()) {
    tell_of_claim(cluster, claim, "Warning", "ProvisioningFailed",
                  "storageclass.storage.k8s.io \"" + class_name + "\" not found");
    return;
  }
  const std::string provisioner(storage_class.string_at("provisioner"));
  if (provisioner.starts_with("kubernetes.io/")) {
    tell_of_claim(cluster, claim, "Warning", "ProvisioningFailed",
                  "no volume plugin matched name: " + provisioner);
    return;
  }
  const registry::ObjectRef ref = ref_of(cluster, kPersistentVolumeClaims, claim);
  const auto annotated = update(cluster, ref, [&](Value& object) {
    annotate(object, kOldProvisioner, provisioner, cluster.arena);
    annotate(object, kProvisioner, provisioner, cluster.arena);
  });
  if (annotated) provisioned_[queue_key(claim)] = annotated->record->revision;
  tell_of_claim(
      cluster, claim, "Normal", "ExternalProvisioning",
      "Waiting for a volume to be created either by the external provisioner '" + provisioner +
          "' or manually by the system administrator. If volume creation is delayed, please "
          "verify that the provisioner is running and correctly registered.");
  if (provisioner == kHostless) provision_volume(cluster, cluster.read(ref), storage_class);
}

void PersistentVolumes::bind(const ReconcileContext& cluster, const Value& volume,
                             const Value& claim) {
  json::Arena& arena = cluster.arena;
  const registry::ObjectRef volume_ref = ref_of(cluster, kPersistentVolumes, volume);
  const auto reserved = update(cluster, volume_ref, [&](Value& object) {
    Value& spec = *object.find("spec");
    const Value* reference = spec.find("claimRef");
    if (reference != nullptr && reference->string_at("uid") == uid_of(claim)) return;
    const bool found_here = reference == nullptr;
    spec.set(arena, "claimRef", claim_reference(claim, arena));
    if (found_here) annotate(object, kBoundByController, "yes", arena);
  });
  if (!reserved) {
    try_again(claim, cluster.now);
    return;
  }
  set_volume_phase(cluster, name_of(volume), "Bound");
  const auto bound =
      update(cluster, ref_of(cluster, kPersistentVolumeClaims, claim), [&](Value& object) {
        Value& spec = *object.find("spec");
        if (spec.string_at("volumeName") != name_of(volume)) {
          spec.set(arena, "volumeName", Value::string(name_of(volume)));
          annotate(object, kBoundByController, "yes", arena);
        }
        annotate(object, kBindCompleted, "yes", arena);
      });
  if (bound) set_claim_phase(cluster, claim, "Bound", &volume);
}

}  // namespace tabernetes::controllers
