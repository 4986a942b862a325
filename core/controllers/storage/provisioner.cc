#include "controllers/storage/provisioner.h"

#include <string>

#include "controllers/shared/event_recorder.h"
#include "controllers/shared/objects.h"
#include "controllers/storage/volume_binding.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kProvisionerSource = "tabernetes.dev/hostless";
// Names of CSI drivers have no slash.
constexpr std::string_view kHostlessDriver = "hostless.tabernetes.dev";

// A volume with a place that suits its access modes: of one node, if the claim has one.
Value volume_for(const Value& claim, const Value& storage_class, const std::string& name,
                 json::Arena& arena) {
  Value metadata = Value::object(arena);
  metadata.append(arena, "name", text_value(name, arena));
  Value annotations = Value::object(arena);
  annotations.append(arena, kProvisionedBy, Value::string(kHostless));
  metadata.append(arena, "annotations", annotations);
  const Value* requested = claim.at({"spec", "resources", "requests", "storage"});
  Value capacity = Value::object(arena);
  if (requested != nullptr) capacity.append(arena, "storage", *requested);
  const Value* modes = claim.at({"spec", "accessModes"});
  const Value* attributes = claim.at({"spec", "volumeAttributesClassName"});
  const Value* options = storage_class.find("mountOptions");
  const Value csi = object_of(
      {{"driver", Value::string(kHostlessDriver)}, {"volumeHandle", text_value(name, arena)}},
      arena);
  Value spec = object_of(
      {{"capacity", capacity},
       {"csi", csi},
       {"accessModes", modes == nullptr ? Value() : modes->clone(arena)},
       {"claimRef", claim_reference(claim, arena)},
       {"persistentVolumeReclaimPolicy",
        text_value(text_if_set(storage_class, {"reclaimPolicy"}, "Delete"), arena)},
       {"storageClassName", text_value(storage_class_of(claim), arena)},
       {"mountOptions", options == nullptr ? Value() : options->clone(arena)},
       {"volumeMode", text_value(text_if_set(claim, {"spec", "volumeMode"}, "Filesystem"), arena)},
       {"volumeAttributesClassName", attributes == nullptr ? Value() : attributes->clone(arena)}},
      arena);
  return object_of({{"metadata", metadata}, {"spec", spec}}, arena);
}

}  // namespace

void provision_volume(const ReconcileContext& cluster, const Value& claim,
                      const Value& storage_class) {
  const std::string name = "pvc-" + std::string(uid_of(claim));
  if (!get(cluster, kPersistentVolumes, {}, name).is_null()) return;
  const registry::ObjectRef ref = ref_of(cluster, kPersistentVolumeClaims, claim);
  record_event(
      cluster, ref,
      {kProvisionerSource, "Normal", "Provisioning",
       "External provisioner is provisioning volume for claim \"" + queue_key(claim) + "\""});
  const auto created = create(cluster, kPersistentVolumes, {},
                              volume_for(claim, storage_class, name, cluster.arena));
  if (!created) {
    record_event(cluster, ref,
                 {kProvisionerSource, "Warning", "ProvisioningFailed",
                  "Error saving PersistentVolume " + name + ": " + created.error().message});
    return;
  }
  record_event(cluster, ref,
               {kProvisionerSource, "Normal", "ProvisioningSucceeded",
                "Successfully provisioned volume " + name});
}

}  // namespace tabernetes::controllers
