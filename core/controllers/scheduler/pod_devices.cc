#include "controllers/scheduler/pod_devices.h"

#include <algorithm>

#include "base/go/text.h"
#include "base/time/rfc3339.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::controllers::scheduling {
namespace {

using json::Value;
using Resource = registry::ObjectReader::Resource;

constexpr Resource kDeviceClaims{"resource.k8s.io", "v1", "resourceclaims"};
constexpr Resource kDeviceClasses{"resource.k8s.io", "v1", "deviceclasses"};
constexpr Resource kDeviceSlices{"resource.k8s.io", "v1", "resourceslices"};
constexpr std::string_view kCannotAllocate = "cannot allocate all claims";
constexpr std::string_view kInvalidPools = "invalid resource pools were encountered";
constexpr std::string_view kElsewhere = "resourceclaim not available on the node";
constexpr std::string_view kProtection = "resource.kubernetes.io/delete-protection";
constexpr std::string_view kDeviceManager = "kube-scheduler";

bool is_owned_by(const Value& claim, const PodInfo& pod) {
  const auto owners = json::items_at(claim, {"metadata", "ownerReferences"});
  return std::any_of(owners.begin(), owners.end(), [&](const Value& owner) {
    return json::bool_at(owner, {"controller"}) && owner.string_at("uid") == pod.uid;
  });
}

// Returns what is wrong with a claim of a pod, `claim` being null if it does not exist.
std::string fault_of(const DeviceClaim& wanted, const Value& claim, const PodInfo& pod) {
  if (claim.is_null())
    return "resourceclaim.resource.k8s.io " + go_quote(wanted.claim) + " not found";
  if (json::has(claim, {"metadata", "deletionTimestamp"})) {
    return "resourceclaim " + go_quote(wanted.claim) + " is being deleted";
  }
  if (!wanted.generated || is_owned_by(claim, pod)) return {};
  return "ResourceClaim " + pod.ns + "/" + wanted.claim + " was not created for Pod " + pod.key() +
         " (Pod is not owner)";
}

std::string not_created(const PodInfo& pod) {
  return "pod " + go_quote(pod.key()) + ": ResourceClaim not created yet";
}

bool is_reserved_for(const Value& claim, const PodInfo& pod) {
  const auto entries = json::items_at(claim, {"status", "reservedFor"});
  return std::any_of(entries.begin(), entries.end(),
                     [&](const Value& entry) { return entry.string_at("uid") == pod.uid; });
}

const Value* allocation_in(const Value& claim) { return claim.at({"status", "allocation"}); }

// Adds the finalizer that keeps a claim with devices.
void add_protection(Value& claim, json::Arena& arena) {
  Value& metadata = object_or_new(claim, "metadata", arena);
  const Value* present = metadata.find("finalizers");
  Value finalizers = present == nullptr ? Value::array(arena) : present->clone(arena);
  for (const Value& each : finalizers.items()) {
    if (each.as_string() == kProtection) return;
  }
  finalizers.push_back(arena, Value::string(kProtection));
  metadata.set(arena, "finalizers", finalizers);
}

// Reserves a claim for the pod.
void add_user(Value& status, const PodInfo& pod, json::Arena& arena) {
  const Value* present = status.find("reservedFor");
  Value users = present == nullptr ? Value::array(arena) : present->clone(arena);
  Value user = Value::object(arena);
  user.append(arena, "resource", Value::string("pods"));
  user.append(arena, "name", Value::string(pod.name));
  user.append(arena, "uid", Value::string(pod.uid));
  users.push_back(arena, user);
  status.set(arena, "reservedFor", users);
}

Verdict refuse(std::string_view reason) {
  return Verdict::refuse(Code::kUnresolvable, Plugin::kDynamicResources, reason);
}

}  // namespace

std::string missing_claims(const registry::Registry& registry, const PodInfo& pod) {
  json::Arena arena;
  for (const DeviceClaim& wanted : pod.device_claims) {
    if (!wanted.created) return not_created(pod);
    if (wanted.claim.empty()) continue;
    const Value claim = registry.find_object(kDeviceClaims, pod.ns, wanted.claim, arena);
    if (std::string fault = fault_of(wanted, claim, pod); !fault.empty()) return fault;
  }
  return {};
}

PodDevices::PodDevices(const ReconcileContext& cluster, const PodInfo& pod)
    : cluster_(cluster), pod_(pod) {
  if (pod.device_claims.empty() || !read_claims()) return;
  check_classes();
  if (!refusal_ && !waiting_.empty()) read_inventory();
}

bool PodDevices::read_claims() {
  const auto refuse_all = [this](std::string reason) {
    refusal_ = {Plugin::kDynamicResources, std::move(reason)};
    claims_.clear();
    return false;
  };
  for (const DeviceClaim& wanted : pod_.device_claims) {
    if (!wanted.created) return refuse_all(not_created(pod_));
    if (wanted.claim.empty()) continue;
    const Value claim =
        cluster_.registry.find_object(kDeviceClaims, pod_.ns, wanted.claim, cluster_.arena);
    std::string fault = fault_of(wanted, claim, pod_);
    if (!fault.empty()) return refuse_all(std::move(fault));
    claims_.push_back(claim);
    const Value* allocation = allocation_in(claim);
    if (allocation == nullptr) waiting_.push_back(claim);
    const Value* selector = allocation == nullptr ? nullptr : allocation->find("nodeSelector");
    available_.push_back(selector == nullptr ? std::nullopt
                                             : std::optional(NodeSelector(*selector)));
  }
  return true;
}

void PodDevices::check_classes() {
  const auto check = [&](const Value& request, const std::string& name) {
    const std::string_view device_class = request.string_at("deviceClassName");
    const Value found =
        cluster_.registry.find_object(kDeviceClasses, {}, device_class, cluster_.arena);
    if (!found.is_null()) {
      inventory_.classes.try_emplace(json::text_at(found, {"metadata", "name"}), found);
    } else if (!refusal_) {
      refusal_ = {Plugin::kDynamicResources, "request " + name + ": device class " +
                                                 std::string(device_class) + " does not exist"};
    }
  };
  for (const Value& claim : waiting_) {
    for (const Value& request : json::items_at(claim, {"spec", "devices", "requests"})) {
      const std::string name(request.string_at("name"));
      if (const Value* exactly = request.find("exactly")) check(*exactly, name);
      for (const Value& other : json::items_at(request, {"firstAvailable"})) {
        check(other, name + "/" + std::string(other.string_at("name")));
      }
    }
  }
  if (refusal_) claims_.clear();
}

void PodDevices::read_inventory() {
  json::Arena& arena = cluster_.arena;
  cluster_.registry.each_object(kDeviceSlices, arena, [&](const Value& slice) {
    inventory_.slices.push_back(slice.clone(arena));
  });
  cluster_.registry.each_object(kDeviceClaims, arena, [&](const Value& claim) {
    const Value* allocation = allocation_in(claim);
    if (allocation == nullptr) return;
    const Value kept = allocation->clone(arena);
    for (const Value& result : json::items_at(kept, {"devices", "results"})) {
      if (json::bool_at(result, {"adminAccess"})) continue;
      inventory_.allocated.insert(
          {result.string_at("driver"), result.string_at("pool"), result.string_at("device")});
    }
  });
}

Verdict PodDevices::filter(const NodeInfo& node) {
  if (claims_.empty() || !error_.empty()) return {};
  bool reachable = true;
  for (std::size_t i = 0; i < claims_.size(); ++i) {
    if (!available_[i] || available_[i]->matches(node.facts.name, node.facts.labels)) continue;
    reachable = false;
    if (std::find(unavailable_.begin(), unavailable_.end(), i) == unavailable_.end()) {
      unavailable_.push_back(i);
    }
  }
  if (!waiting_.empty()) {
    DeviceAllocation allocation =
        allocate_devices(inventory_, waiting_, node.facts, cluster_.arena);
    if (!allocation.error.empty()) {
      error_ = "running \"DynamicResources\" filter plugin: " + allocation.error;
      return refuse(kCannotAllocate);
    }
    if (!allocation.found) return refuse(allocation.invalid ? kInvalidPools : kCannotAllocate);
    if (reachable) found_.insert_or_assign(node.facts.name, std::move(allocation.of_claims));
  }
  return reachable ? Verdict() : refuse(kElsewhere);
}

std::string_view PodDevices::deallocate() {
  if (claims_.empty()) return "no new claims to deallocate";
  for (const std::size_t i : unavailable_) {
    const Value& claim = claims_[i];
    const auto users = json::items_at(claim, {"status", "reservedFor"});
    if (users.size() > 1 || (users.size() == 1 && !is_reserved_for(claim, pod_))) continue;
    (void)change(claim, registry::Subresource::kStatus, [&](Value& object) {
      Value& status = object_or_new(object, "status", cluster_.arena);
      for (const std::string_view member : {"reservedFor", "allocation", "devices"}) {
        status.erase(member);
      }
    });
    return "deallocation of ResourceClaim completed";
  }
  return "still not schedulable";
}

Result<void> PodDevices::bind(const std::string& node) const {
  const auto found = found_.find(node);
  std::size_t next = 0;
  for (const Value& claim : claims_) {
    const bool waits = allocation_in(claim) == nullptr;
    if (waits && found == found_.end()) {
      return errors::plain_error("claim allocation not found for node");
    }
    const Value* allocation = waits ? &found->second[next++] : nullptr;
    if (is_reserved_for(claim, pod_)) continue;
    TAB_CHECK(write(claim, allocation));
  }
  return {};
}

// Writes a claim, or its status, as `edit` leaves it.
Result<void> PodDevices::change(const Value& claim, registry::Subresource part,
                                const std::function<void(Value& object)>& edit) const {
  const bool status = part == registry::Subresource::kStatus;
  const registry::ObjectRef ref{
      cluster_.registry.resources().find(kDeviceClaims.group, kDeviceClaims.version,
                                         kDeviceClaims.plural),
      pod_.ns, json::text_at(claim, {"metadata", "name"})};
  registry::WriteContext context = cluster_.context(status ? "status" : "");
  context.manager = kDeviceManager;
  TAB_CHECK(cluster_.registry.update(context, ref, part, [&](const Value* stored) -> Result<Value> {
    if (stored == nullptr) return errors::not_found(ref.type->group_resource(), ref.name);
    Value object = stored->clone(cluster_.arena);
    edit(object);
    return object;
  }));
  return {};
}

Result<void> PodDevices::write(const Value& claim, const Value* allocation) const {
  json::Arena& arena = cluster_.arena;
  if (allocation != nullptr) {
    TAB_CHECK(change(claim, registry::Subresource::kNone,
                     [&](Value& object) { add_protection(object, arena); }));
  }
  return change(claim, registry::Subresource::kStatus, [&](Value& object) {
    Value& status = object_or_new(object, "status", arena);
    if (allocation != nullptr) status.set(arena, "allocation", allocation->clone(arena));
    if (Value* allocated = status.find("allocation");
        allocated != nullptr && allocated->find("allocationTimestamp") == nullptr) {
      allocated->set(arena, "allocationTimestamp",
                     Value::string(arena.copy(format_rfc3339(cluster_.now))));
    }
    add_user(status, pod_, arena);
  });
}

}  // namespace tabernetes::controllers::scheduling
