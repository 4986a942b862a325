#include "controllers/scheduler/pod_volumes.h"

#include <algorithm>

#include "base/algorithm/sort.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/selectors/selector_object.h"

namespace tabernetes::controllers::scheduling {
namespace {

using json::Value;
using Resource = registry::ObjectReader::Resource;

constexpr Resource kClaims{"", "v1", "persistentvolumeclaims"};
constexpr Resource kVolumes{"", "v1", "persistentvolumes"};
constexpr Resource kClasses{"storage.k8s.io", "v1", "storageclasses"};
constexpr Resource kCsiNodes{"storage.k8s.io", "v1", "csinodes"};
constexpr Resource kCsiDrivers{"storage.k8s.io", "v1", "csidrivers"};
constexpr Resource kCapacities{"storage.k8s.io", "v1", "csistoragecapacities"};

constexpr std::string_view kDiskConflict = "node(s) had no available disk";
constexpr std::string_view kClaimInUse =
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already "
    "in-use by another pod";
constexpr std::string_view kTooManyVolumes = "node(s) exceed max volume count";
constexpr std::string_view kNodeConflict = "node(s) didn't match PersistentVolume's node affinity";
constexpr std::string_view kNothingToBind =
    "node(s) didn't find available persistent volumes to bind";
constexpr std::string_view kNoSpace = "node(s) did not have enough free storage";
constexpr std::string_view kNoZone = "node(s) had no available volume zone";
constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";
constexpr std::string_view kBoundByController = "pv.kubernetes.io/bound-by-controller";
constexpr std::string_view kBindCompleted = "pv.kubernetes.io/bind-completed";
constexpr std::string_view kOldClass = "volume.beta.kubernetes.io/storage-class";
constexpr std::string_view kNoProvisioner = "kubernetes.io/no-provisioner";
constexpr std::string_view kSchedulerManager = "kube-scheduler";

constexpr std::pair<std::string_view, std::string_view> kZoneLabels[] = {
    {"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"},
    {"failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"},
    {"topology.kubernetes.io/zone", "topology.kubernetes.io/zone"},
    {"topology.kubernetes.io/region", "topology.kubernetes.io/region"},
};

std::string_view name_of(const Value& object) {
  return json::text_at(object, {"metadata", "name"});
}

const Value* annotation(const Value& object, std::string_view name) {
  return object.at({"metadata", "annotations", name});
}

std::string class_of(const Value& object) {
  const Value* old = annotation(object, kOldClass);
  return std::string(old != nullptr ? json::text_of(old)
                                    : json::text_at(object, {"spec", "storageClassName"}));
}

bool is_bound(const Value& claim) {
  return !json::text_at(claim, {"spec", "volumeName"}).empty() &&
         annotation(claim, kBindCompleted) != nullptr;
}

std::int64_t requested(const Value& claim) {
  return read_quantity(json::scalar_text(claim.at({"spec", "resources", "requests", "storage"})));
}

std::int64_t capacity(const Value& volume) {
  return read_quantity(json::scalar_text(volume.at({"spec", "capacity", "storage"})));
}

bool has_mode(const Value& object, std::string_view mode) {
  const auto modes = json::items_at(object, {"spec", "accessModes"});
  return std::any_of(modes.begin(), modes.end(),
                     [&](const Value& one) { return json::text_of(one) == mode; });
}

bool is_reachable(const Value& volume, const NodeInfo& node) {
  const Value* required = volume.at({"spec", "nodeAffinity", "required"});
  return required == nullptr || !required->is_object() ||
         NodeSelector(*required).matches(node.facts.name, node.facts.labels);
}

// Returns true if the volume is reserved for the claim.
bool is_for(const Value& volume, const Value& claim) {
  const Value* reference = volume.at({"spec", "claimRef"});
  if (reference == nullptr || !reference->is_object()) return false;
  const std::string_view uid = reference->string_at("uid");
  return reference->string_at("name") == name_of(claim) &&
         reference->string_at("namespace") == json::text_at(claim, {"metadata", "namespace"}) &&
         (uid.empty() || uid == json::text_at(claim, {"metadata", "uid"}));
}

bool is_available_for(const Value& volume, const Value& claim, const std::string& class_name) {
  if (json::text_at(volume, {"status", "phase"}) != "Available") return false;
  if (class_of(volume) != class_name) return false;
  if (const Value* selector = claim.at({"spec", "selector"})) {
    const auto parsed = registry::read_label_selector(*selector);
    const LabelSet labels(volume.at({"metadata", "labels"}));
    if (selector->is_object() && (!parsed || !labels.match(*parsed))) return false;
  }
  const auto modes = json::items_at(claim, {"spec", "accessModes"});
  return std::all_of(modes.begin(), modes.end(),
                     [&](const Value& mode) { return has_mode(volume, json::text_of(mode)); });
}

// Returns true if size, mode and attributes of the volume are right.
bool is_right_kind(const Value& volume, const Value& claim) {
  const auto mode = [](const Value& object) {
    return json::text_if_set(object, {"spec", "volumeMode"}, "Filesystem");
  };
  const auto attributes = [](const Value& object) {
    return json::text_at(object, {"spec", "volumeAttributesClassName"});
  };
  return capacity(volume) >= requested(claim) && mode(volume) == mode(claim) &&
         attributes(volume) == attributes(claim) &&
         !json::has(volume, {"metadata", "deletionTimestamp"});
}

bool allows_topology(const Value& storage_class, const NodeInfo& node) {
  const auto terms = json::items_in(storage_class, "allowedTopologies");
  if (terms.empty()) return true;
  const auto meets = [&](const Value& expression) {
    const auto label = node.facts.labels.find(expression.string_at("key"));
    const auto values = json::items_in(expression, "values");
    return label && std::any_of(values.begin(), values.end(),
                                [&](const Value& value) { return json::text_of(value) == *label; });
  };
  return std::any_of(terms.begin(), terms.end(), [&](const Value& term) {
    const auto expressions = json::items_in(term, "matchLabelExpressions");
    return !expressions.empty() && std::all_of(expressions.begin(), expressions.end(), meets);
  });
}

bool is_controlled_by(const Value& object, const PodInfo& pod) {
  const auto owners = json::items_at(object, {"metadata", "ownerReferences"});
  return std::any_of(owners.begin(), owners.end(), [&](const Value& owner) {
    return json::bool_at(owner, {"controller"}) && owner.string_at("uid") == pod.uid;
  });
}

bool overlap(const std::vector<std::string>& some, const std::vector<std::string>& others) {
  return std::any_of(some.begin(), some.end(), [&](const std::string& one) {
    return std::find(others.begin(), others.end(), one) != others.end();
  });
}

bool conflict(const ExclusiveVolume& one, const ExclusiveVolume& other) {
  if (one.kind != other.kind || one.id != other.id) return false;
  if (one.kind == "rbd" && !overlap(one.monitors, other.monitors)) return false;
  return !(one.read_only && other.read_only);
}

// Returns true if `zone` is one of `zones`, between which are two underscores.
bool lists_zone(std::string_view zones, std::string_view zone) {
  while (true) {
    const std::size_t end = zones.find("__");
    if (zones.substr(0, end) == zone) return true;
    if (end == std::string_view::npos) return false;
    zones.remove_prefix(end + 2);
  }
}

std::string not_found(std::string_view kind, std::string_view name) {
  return std::string(kind) + " \"" + std::string(name) + "\" not found";
}

}  // namespace

PodVolumes::PodVolumes(const ReconcileContext& cluster, const Cache& cache, const PodInfo& pod)
    : cluster_(cluster), pod_(pod) {
  if (pod.claims.empty()) return;
  check_volume_restrictions(cache, pod);
  bool immediate = false;
  for (const ClaimVolume& volume : pod.claims) {
    const std::size_t before = waiting_.size();
    read_claim(pod, volume);
    if (refusal_) return;
    if (waiting_.size() > before) {
      const Claim& claim = waiting_.back();
      immediate =
          immediate || !json::text_at(claim.claim, {"spec", "volumeName"}).empty() ||
          json::text_at(claim.storage_class, {"volumeBindingMode"}) != "WaitForFirstConsumer";
    }
  }
  if (immediate) {
    refuse(Plugin::kVolumeBinding, "pod has unbound immediate PersistentVolumeClaims");
    return;
  }
  check_zones();
  sort_stable(waiting_, [](const Claim& a, const Claim& b) {
    return requested(a.claim) < requested(b.claim);
  });
  if (waiting_.empty()) return;
  cluster_.registry.each_object(kVolumes, cluster_.arena, [&](const Value& volume) {
    free_volumes_.push_back(volume.clone(cluster_.arena));
  });
}

void PodVolumes::refuse(Plugin plugin, std::string reason) {
  if (!refusal_) refusal_ = {plugin, std::move(reason)};
}

void PodVolumes::check_volume_restrictions(const Cache& cache, const PodInfo& pod) {
  for (const ClaimVolume& volume : pod.claims) {
    if (volume.ephemeral) continue;
    const Value claim =
        cluster_.registry.find_object(kClaims, pod.ns, volume.claim, cluster_.arena);
    if (claim.is_null()) {
      return refuse(Plugin::kVolumeRestrictions, not_found("persistentvolumeclaim", volume.claim));
    }
    if (has_mode(claim, "ReadWriteOncePod")) exclusive_claims_.insert(volume.claim);
  }
  if (exclusive_claims_.empty()) return;
  std::set<std::string> used;
  for (std::size_t slot = 0; slot < cache.slots(); ++slot) {
    for (const PodPtr& other : cache.node(static_cast<int>(slot)).pods) {
      if (other->ns != pod.ns) continue;
      for (const ClaimVolume& volume : other->claims) {
        if (exclusive_claims_.contains(volume.claim)) used.insert(volume.claim);
      }
    }
  }
  exclusive_users_ = static_cast<int>(used.size());
}

void PodVolumes::read_claim(const PodInfo& pod, const ClaimVolume& volume) {
  Claim read;
  read.claim = cluster_.registry.find_object(kClaims, pod.ns, volume.claim, cluster_.arena);
  const std::string quoted = "persistentvolumeclaim \"" + volume.claim + "\"";
  if (read.claim.is_null()) {
    return refuse(Plugin::kVolumeBinding,
                  volume.ephemeral
                      ? "waiting for ephemeral volume controller to create the " + quoted
                      : quoted + " not found");
  }
  const std::string_view bound_to = json::text_at(read.claim, {"spec", "volumeName"});
  if (json::text_at(read.claim, {"status", "phase"}) == "Lost") {
    return refuse(Plugin::kVolumeBinding, quoted + " bound to non-existent persistentvolume \"" +
                                              std::string(bound_to) + "\"");
  }
  if (json::has(read.claim, {"metadata", "deletionTimestamp"})) {
    return refuse(Plugin::kVolumeBinding, quoted + " is being deleted");
  }
  if (volume.ephemeral && !is_controlled_by(read.claim, pod)) {
    return refuse(Plugin::kVolumeBinding, "PVC " + pod.ns + "/" + volume.claim +
                                              " was not created for pod " + pod.key() +
                                              " (pod is not owner)");
  }
  read.class_name = class_of(read.claim);
  if (!read.class_name.empty()) {
    read.storage_class =
        cluster_.registry.find_object(kClasses, {}, read.class_name, cluster_.arena);
  }
  if (!is_bound(read.claim)) {
    waiting_.push_back(std::move(read));
    return;
  }
  read.volume = cluster_.registry.find_object(kVolumes, {}, bound_to, cluster_.arena);
  bound_.push_back(std::move(read));
}

void PodVolumes::check_zones() {
  for (const Claim& claim : bound_) {
    if (!claim.volume.is_null()) continue;
    return refuse(
        Plugin::kVolumeZone,
        not_found("persistentvolume", json::text_at(claim.claim, {"spec", "volumeName"})));
  }
}

int PodVolumes::exclusive_users_of(const PodInfo& other) const {
  if (exclusive_claims_.empty()) return 0;
  return static_cast<int>(
      std::count_if(other.claims.begin(), other.claims.end(), [&](const ClaimVolume& volume) {
        return !volume.ephemeral && exclusive_claims_.contains(volume.claim);
      }));
}

Verdict PodVolumes::check_restrictions(const NodeInfo& node, int change) const {
  for (const ExclusiveVolume& wanted : pod_.exclusive) {
    for (const PodPtr& other : node.pods) {
      for (const ExclusiveVolume& used : other->exclusive) {
        if (!conflict(wanted, used)) continue;
        return Verdict::refuse(Code::kUnschedulable, Plugin::kVolumeRestrictions, kDiskConflict);
      }
    }
  }
  if (exclusive_users_ + change > 0) {
    return Verdict::refuse(Code::kUnschedulable, Plugin::kVolumeRestrictions, kClaimInUse);
  }
  return {};
}

void PodVolumes::add_csi_volumes(const PodInfo& pod,
                                 std::map<std::string, std::string>& volumes) const {
  for (const ClaimVolume& one : pod.claims) {
    const Value claim = cluster_.registry.find_object(kClaims, pod.ns, one.claim, cluster_.arena);
    if (claim.is_null()) continue;
    const std::string_view bound_to = json::text_at(claim, {"spec", "volumeName"});
    const Value volume =
        bound_to.empty() ? Value()
                         : cluster_.registry.find_object(kVolumes, {}, bound_to, cluster_.arena);
    if (const Value* csi = volume.at({"spec", "csi"})) {
      const std::string driver(csi->string_at("driver"));
      volumes[driver + "/" + std::string(csi->string_at("volumeHandle"))] = driver;
    } else if (volume.is_null()) {
      const Value storage_class =
          cluster_.registry.find_object(kClasses, {}, class_of(claim), cluster_.arena);
      const std::string driver(json::text_at(storage_class, {"provisioner"}));
      if (!driver.empty()) volumes[driver + "/" + pod.ns + "/" + one.claim] = driver;
    }
  }
}

Verdict PodVolumes::check_limits(const NodeInfo& node) const {
  if (pod_.claims.empty()) return {};
  const Value csi_node =
      cluster_.registry.find_object(kCsiNodes, {}, node.facts.name, cluster_.arena);
  std::map<std::string_view, std::int64_t> limits;
  for (const Value& driver : json::items_at(csi_node, {"spec", "drivers"})) {
    const Value* count = driver.at({"allocatable", "count"});
    if (count != nullptr && count->is_int()) limits[driver.string_at("name")] = count->as_int();
  }
  if (limits.empty()) return {};
  std::map<std::string, std::string> wanted;
  std::map<std::string, std::string> attached;
  add_csi_volumes(pod_, wanted);
  for (const PodPtr& other : node.pods) add_csi_volumes(*other, attached);
  std::map<std::string_view, std::int64_t> used;
  for (const auto& [handle, driver] : attached) ++used[driver];
  std::map<std::string_view, std::int64_t> added;
  for (const auto& [handle, driver] : wanted) {
    if (!attached.contains(handle)) ++added[driver];
  }
  for (const auto& [driver, count] : added) {
    const auto limit = limits.find(driver);
    if (limit == limits.end() || used[driver] + count <= limit->second) continue;
    return Verdict::refuse(Code::kUnschedulable, Plugin::kNodeVolumeLimits, kTooManyVolumes);
  }
  return {};
}

Verdict PodVolumes::check_bound(const NodeInfo& node) const {
  for (const Claim& claim : bound_) {
    if (is_reachable(claim.volume, node)) continue;
    return Verdict::refuse(Code::kUnresolvable, Plugin::kVolumeBinding, kNodeConflict);
  }
  return {};
}

Verdict PodVolumes::check_zone_labels(const NodeInfo& node) const {
  const LabelSet& own = node.facts.labels;
  const bool constrained =
      std::any_of(std::begin(kZoneLabels), std::end(kZoneLabels),
                  [&](const auto& label) { return own.find(label.first).has_value(); });
  if (!constrained) return {};
  for (const Claim& claim : bound_) {
    for (const auto& [key, current] : kZoneLabels) {
      const Value* label = claim.volume.at({"metadata", "labels", key});
      if (label == nullptr) continue;
      std::optional<std::string_view> value = own.find(key);
      if (!value) value = own.find(current);
      if (value && lists_zone(json::text_of(label), *value)) continue;
      return Verdict::refuse(Code::kUnresolvable, Plugin::kVolumeZone, kNoZone);
    }
  }
  return {};
}

Value PodVolumes::find_volume(const Claim& claim, const NodeInfo& node,
                              const std::set<std::string_view>& taken) const {
  const Value* smallest = nullptr;
  for (const Value& volume : free_volumes_) {
    const bool reserved = is_for(volume, claim.claim);
    if (taken.contains(name_of(volume)) || !is_right_kind(volume, claim.claim)) continue;
    if (json::has(volume, {"spec", "claimRef"}) && !reserved) continue;
    const bool reachable = is_reachable(volume, node);
    if (reserved) return reachable ? volume : Value();
    if (!reachable || !is_available_for(volume, claim.claim, claim.class_name)) continue;
    if (smallest == nullptr || capacity(volume) < capacity(*smallest)) smallest = &volume;
  }
  return smallest == nullptr ? Value() : *smallest;
}

bool PodVolumes::can_provision(const Claim& claim, const NodeInfo& node, bool& enough) const {
  const std::string_view provisioner = json::text_at(claim.storage_class, {"provisioner"});
  if (provisioner.empty() || provisioner == kNoProvisioner) return false;
  if (!allows_topology(claim.storage_class, node)) return false;
  const Value driver = cluster_.registry.find_object(kCsiDrivers, {}, provisioner, cluster_.arena);
  if (!json::bool_at(driver, {"spec", "storageCapacity"})) return true;
  bool found = false;
  cluster_.registry.each_object(kCapacities, cluster_.arena, [&](const Value& one) {
    const Value* limit = one.find("maximumVolumeSize");
    if (limit == nullptr) limit = one.find("capacity");
    const Value* nodes = one.find("nodeTopology");
    if (nodes == nullptr || one.string_at("storageClassName") != claim.class_name) return;
    const auto selector = registry::read_label_selector(*nodes);
    found = found || (limit != nullptr && selector && node.facts.labels.match(*selector) &&
                      read_quantity(json::scalar_text(limit)) >= requested(claim.claim));
  });
  if (!found) enough = false;
  return true;
}

PodVolumes::Choice PodVolumes::choose(const NodeInfo& node) const {
  Choice choice;
  std::set<std::string_view> taken;
  const auto refuse = [&](std::string_view reason) {
    choice.verdict = Verdict::refuse(Code::kUnresolvable, Plugin::kVolumeBinding, reason);
    return choice;
  };
  bool enough = true;
  for (const Claim& claim : waiting_) {
    const Value* selected = annotation(claim.claim, kSelectedNode);
    if (selected != nullptr && json::text_of(selected) != node.facts.name) {
      return refuse(kNothingToBind);
    }
    choice.volumes.push_back(selected != nullptr ? Value() : find_volume(claim, node, taken));
    if (!choice.volumes.back().is_null()) {
      taken.insert(name_of(choice.volumes.back()));
    } else if (!can_provision(claim, node, enough)) {
      return refuse(kNothingToBind);
    }
  }
  return enough ? choice : refuse(kNoSpace);
}

Verdict PodVolumes::filter(const NodeInfo& node, int change) const {
  if (pod_.claims.empty() && pod_.exclusive.empty()) return {};
  if (Verdict verdict = check_restrictions(node, change); !verdict.fits()) return verdict;
  if (Verdict verdict = check_limits(node); !verdict.fits()) return verdict;
  Verdict verdict = check_bound(node);
  if (!waiting_.empty()) {
    const Choice choice = choose(node);
    if (verdict.fits()) {
      verdict = choice.verdict;
    } else {
      verdict.reasons.insert(verdict.reasons.end(), choice.verdict.reasons.begin(),
                             choice.verdict.reasons.end());
    }
  }
  if (!verdict.fits()) return verdict;
  return check_zone_labels(node);
}

Result<void> PodVolumes::bind(const NodeInfo& node) const {
  const Choice choice = choose(node);
  if (!choice.verdict.fits()) return {};
  const auto& resources = cluster_.registry.resources();
  registry::WriteContext context = cluster_.context();
  context.manager = kSchedulerManager;
  json::Arena& arena = cluster_.arena;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const Value& claim = waiting_[i].claim;
    const Value& volume = choice.volumes[i];
    const bool provisions = volume.is_null();
    const Resource& resource = provisions ? kClaims : kVolumes;
    const registry::ObjectRef ref{resources.find(resource.group, resource.version, resource.plural),
                                  provisions ? std::string_view(pod_.ns) : std::string_view(),
                                  name_of(provisions ? claim : volume)};
    const auto change = [&](const Value* stored) -> Result<Value> {
      Value object = stored->clone(arena);
      Value& annotations =
          object_or_new(object_or_new(object, "metadata", arena), "annotations", arena);
      if (provisions) {
        annotations.set(arena, kSelectedNode, Value::string(node.facts.name));
        return object;
      }
      if (!is_for(object, claim)) {
        annotations.set(arena, kBoundByController, Value::string("yes"));
      }
      Value reference = Value::object(arena);
      const Value& metadata = *claim.find("metadata");
      reference.append(arena, "kind", Value::string("PersistentVolumeClaim"));
      reference.append(arena, "namespace", Value::string(pod_.ns));
      reference.append(arena, "name", Value::string(name_of(claim)));
      reference.append(arena, "uid", Value::string(metadata.string_at("uid")));
      reference.append(arena, "apiVersion", Value::string("v1"));
      reference.append(arena, "resourceVersion",
                       Value::string(metadata.string_at("resourceVersion")));
      object_or_new(object, "spec", arena).set(arena, "claimRef", reference);
      return object;
    };
    TAB_TRY(const registry::Updated updated,
            cluster_.registry.update(context, ref, registry::Subresource::kNone, change));
  }
  return {};
}

std::optional<bool> PodVolumes::are_bound(const ReconcileContext& cluster, const PodInfo& pod,
                                          std::string_view node) {
  bool all = true;
  for (const ClaimVolume& volume : pod.claims) {
    const Value claim = cluster.registry.find_object(kClaims, pod.ns, volume.claim, cluster.arena);
    if (claim.is_null()) return std::nullopt;
    if (is_bound(claim)) continue;
    const Value* selected = annotation(claim, kSelectedNode);
    if (selected != nullptr && json::text_of(selected) != node) return std::nullopt;
    all = false;
  }
  return all;
}

}  // namespace tabernetes::controllers::scheduling
