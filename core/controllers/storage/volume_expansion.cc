#include "controllers/storage/volume_expansion.h"

#include "base/api/quantity.h"
#include "controllers/shared/event_recorder.h"
#include "controllers/shared/objects.h"
#include "controllers/storage/provisioner.h"
#include "controllers/storage/volume_binding.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kResizerSource = "external-resizer tabernetes.dev/hostless";

Quantity storage_at(const Value& object, std::initializer_list<std::string_view> path) {
  const Value* amounts = object.at(path);
  std::string_view error;
  if (amounts == nullptr) return {};
  return Quantity::parse(amounts->string_at("storage"), error).value_or(Quantity());
}

bool wants_more(const Value& claim) {
  return text_at(claim, {"status", "phase"}) == "Bound" &&
         storage_at(claim, {"status", "capacity"})
                 .compare(storage_at(claim, {"spec", "resources", "requests"})) < 0;
}

}  // namespace

void VolumeExpansion::on_change(const registry::Registry&, const WatchEvent& change) {
  if (!is(change.type, kPersistentVolumeClaims) || change.now == nullptr) return;
  if (change.before == nullptr || !wants_more(change.object_now.get())) return;
  // Only a claim whose wish has grown, not every write to one that waits.
  if (storage_at(change.object_before.get(), {"spec", "resources", "requests"})
          .compare(storage_at(change.object_now.get(), {"spec", "resources", "requests"})) < 0) {
    queue_.add(queue_key(change.ns, change.name), change.due());
  }
}

void VolumeExpansion::reconcile(const ReconcileContext& cluster, const std::string& key) {
  json::Arena& arena = cluster.arena;
  const auto [ns, name] = split_queue_key(key);
  const Value claim = get(cluster, kPersistentVolumeClaims, ns, name);
  if (claim.is_null() || !wants_more(claim)) return;
  const Value volume = get(cluster, kPersistentVolumes, {}, text_at(claim, {"spec", "volumeName"}));
  if (volume.is_null()) return;
  const registry::ObjectRef ref = ref_of(cluster, kPersistentVolumeClaims, claim);
  record_event(cluster, ref,
               {"volume_expand", "Normal", "ExternalExpanding",
                "waiting for an external controller to expand this PVC"});
  if (text_at(volume, {"metadata", "annotations", kProvisionedBy}) != kHostless) return;
  const std::string volume_name(name_of(volume));
  record_event(
      cluster, ref,
      {kResizerSource, "Normal", "Resizing", "External resizer is resizing volume " + volume_name});
  const Value* wanted = claim.at({"spec", "resources", "requests", "storage"});
  const auto grown =
      update(cluster, ref_of(cluster, kPersistentVolumes, volume), [&](Value& object) {
        object_or_new(*object.find("spec"), "capacity", arena).set(arena, "storage", *wanted);
      });
  if (!grown) return;
  const auto told = update_status(cluster, ref, [&](Value& object) {
    Value& status = object_or_new(object, "status", arena);
    object_or_new(status, "capacity", arena).set(arena, "storage", *wanted);
  });
  if (!told) return;
  record_event(cluster, ref,
               {kResizerSource, "Normal", "VolumeResizeSuccessful", "Resize volume succeeded"});
}

}  // namespace tabernetes::controllers
