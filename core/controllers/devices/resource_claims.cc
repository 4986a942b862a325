#include "controllers/devices/resource_claims.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/go/text.h"
#include "controllers/shared/applied.h"
#include "controllers/shared/event_recorder.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr Resource kResourceClaims{"resource.k8s.io", "v1", "resourceclaims"};
constexpr Resource kResourceClaimTemplates{"resource.k8s.io", "v1", "resourceclaimtemplates"};
constexpr std::string_view kPodKey = "pod:", kClaimKey = "claim:";
constexpr std::string_view kPodClaimName = "resource.kubernetes.io/pod-claim-name";
constexpr std::string_view kDeleteProtection = "resource.kubernetes.io/delete-protection";
constexpr std::size_t kLongestBase = 57;  // of a generated name

bool has_claims(const PodSummary& pod) {
  return pod.record->bytes.find("\"resourceClaims\"") != std::string::npos ||
         pod.record->bytes.find("\"extendedResourceClaimStatus\"") != std::string::npos;
}

// The same of a decoded pod.
bool has_claims(const Value& pod) {
  return has(pod, {"spec", "resourceClaims"}) ||
         has(pod, {"status", "extendedResourceClaimStatus"});
}

// Returns true if it is certain that no container runs or ever will.
bool is_done(const Value& pod) {
  const std::string_view phase = text_at(pod, {"status", "phase"});
  return phase == "Succeeded" || phase == "Failed" ||
         (is_terminating(pod) && text_at(pod, {"spec", "nodeName"}).empty());
}

const Value* status_of_claim(const Value& pod, std::string_view pod_claim) {
  for (const Value& status : items_at(pod, {"status", "resourceClaimStatuses"})) {
    if (status.string_at("name") == pod_claim) return &status;
  }
  return nullptr;
}

// Returns the name of the ResourceClaim for a claim of the pod: empty if none is needed, nullopt if
// it is not made yet.
std::optional<std::string_view> name_of_claim(const Value& pod, const Value& pod_claim) {
  const std::string_view given = pod_claim.string_at("resourceClaimName");
  if (!given.empty()) return given;
  const Value* status = status_of_claim(pod, pod_claim.string_at("name"));
  if (status == nullptr) return std::nullopt;
  return status->string_at("resourceClaimName");
}

// Returns the names of all ResourceClaims that a pod uses, as far as they are made.
std::vector<std::string_view> names_of_claims(const Value& pod) {
  std::vector<std::string_view> names;
  for (const Value& pod_claim : items_at(pod, {"spec", "resourceClaims"})) {
    const auto name = name_of_claim(pod, pod_claim);
    if (name && !name->empty()) names.push_back(*name);
  }
  const std::string_view extended =
      text_at(pod, {"status", "extendedResourceClaimStatus", "resourceClaimName"});
  if (!extended.empty()) names.push_back(extended);
  return names;
}

bool belongs_to(const Value& claim, const Value& pod) {
  const Value* owner = controller_of(claim);
  return owner != nullptr && owner->string_at("uid") == uid_of(pod);
}

std::string key_of_claim(std::string_view ns, std::string_view name) {
  return std::string(kClaimKey) + queue_key(ns, name);
}

// Returns the beginning of the name of a claim of a pod; both parts lose as much if it is too long.
std::string base_name(std::string_view pod, std::string_view pod_claim) {
  std::string base = std::string(pod) + "-" + std::string(pod_claim) + "-";
  if (base.size() <= kLongestBase) return base;
  const auto part = [&](std::string_view text, std::size_t whole) {
    return std::string(text.substr(0, text.size() * kLongestBase / whole));
  };
  const std::size_t whole = base.size();
  return part(pod, whole) + "-" + part(pod_claim, whole);
}

Value claim_from(const Value& source, const Value& pod, std::string_view pod_claim,
                 json::Arena& arena) {
  const Value* metadata = source.at({"spec", "metadata"});
  const Value* labels = metadata == nullptr ? nullptr : metadata->find("labels");
  const Value* given = metadata == nullptr ? nullptr : metadata->find("annotations");
  Value annotations = given == nullptr ? Value::object(arena) : given->clone(arena);
  annotations.set(arena, kPodClaimName, text_value(pod_claim, arena));
  Value owners = Value::array(arena);
  owners.push_back(arena, object_of({{"apiVersion", Value::string("v1")},
                                     {"kind", Value::string("Pod")},
                                     {"name", Value::string(name_of(pod))},
                                     {"uid", Value::string(uid_of(pod))},
                                     {"controller", Value::boolean(true)}},
                                    arena));
  const Value* spec = source.at({"spec", "spec"});
  return object_of(
      {{"metadata",
        object_of({{"generateName", text_value(base_name(name_of(pod), pod_claim), arena)},
                   {"ownerReferences", owners},
                   {"annotations", annotations},
                   {"labels", labels == nullptr ? Value() : labels->clone(arena)}},
                  arena)},
       {"spec", spec == nullptr ? Value::object(arena) : spec->clone(arena)}},
      arena);
}

// The claims of one pod.
class PodClaims {
 public:
  PodClaims(const ReconcileContext& cluster, const Value& pod)
      : cluster_(cluster), pod_(pod), statuses_(Value::array(cluster.arena)) {}

  Result<void> sync() {
    for (const Value& pod_claim : items_at(pod_, {"spec", "resourceClaims"})) {
      Result<void> made = make(pod_claim);
      if (made) continue;
      record_event(cluster_, ref_of(cluster_, kPods, pod_),
                   {"resource_claim", "Warning", "FailedResourceClaimCreation",
                    "PodResourceClaim " + std::string(pod_claim.string_at("name")) + ": " +
                        made.error().message});
      return made;
    }
    if (any_new_) {
      Value status = Value::object(cluster_.arena);
      status.append(cluster_.arena, "resourceClaimStatuses", statuses_);
      apply(cluster_, ref_of(cluster_, kPods, pod_), registry::Subresource::kStatus,
            "ResourceClaimController", {"status", status});
    }
    // Before that, the scheduler reserves claims.
    return text_at(pod_, {"spec", "nodeName"}).empty() ? Result<void>() : reserve();
  }

 private:
  Result<void> make(const Value& pod_claim) {
    const std::string_view pod_claim_name = pod_claim.string_at("name");
    const auto present = name_of_claim(pod_, pod_claim);
    const std::string_view source = pod_claim.string_at("resourceClaimTemplateName");
    if (source.empty()) return {};
    if (present) {
      const Value claim =
          present->empty() ? Value() : get(cluster_, kResourceClaims, namespace_of(pod_), *present);
      if (present->empty() || (claim.is_object() && belongs_to(claim, pod_))) {
        note(pod_claim_name, *present);
        return {};
      }
    }
    // A pod that is done needs no claim any more.
    if (is_done(pod_)) return {};
    Value claim = find_orphan(pod_claim_name);
    if (claim.is_null()) {
      TAB_TRY(claim, create_from(source, pod_claim_name));
    }
    any_new_ = true;
    note(pod_claim_name, name_of(claim));
    return {};
  }

  void note(std::string_view pod_claim, std::string_view claim) {
    statuses_.push_back(cluster_.arena,
                        object_of({{"name", text_value(pod_claim, cluster_.arena)},
                                   {"resourceClaimName", text_value(claim, cluster_.arena)}},
                                  cluster_.arena));
  }

  // Returns a claim that was made for the pod, but is not in its status yet; or null.
  Value find_orphan(std::string_view pod_claim) const {
    for (const Value& claim : list(cluster_, kResourceClaims, namespace_of(pod_))) {
      if (belongs_to(claim, pod_) &&
          text_at(claim, {"metadata", "annotations", kPodClaimName}) == pod_claim) {
        return claim;
      }
    }
    return {};
  }

  Result<Value> create_from(std::string_view source, std::string_view pod_claim) const {
    const Value found = get(cluster_, kResourceClaimTemplates, namespace_of(pod_), source);
    if (found.is_null()) {
      Failure failure = errors::not_found({"resource.k8s.io", "resourceclaimtemplate"}, source);
      failure->message = "resource claim template " + go_quote(source) + ": " + failure->message;
      return failure;
    }
    auto created = create(cluster_, kResourceClaims, namespace_of(pod_),
                          claim_from(found, pod_, pod_claim, cluster_.arena));
    if (!created) {
      Failure failure = std::move(created).failure();
      failure->message = "create ResourceClaim : " + failure->message;
      return failure;
    }
    return registry::read_object(type_of(cluster_.registry, kResourceClaims), **created,
                                 cluster_.arena)
        .clone(cluster_.arena);
  }

  // Reserves claims that are allocated, for a pod that was bound without the scheduler.
  Result<void> reserve() const {
    for (const Value& pod_claim : items_at(pod_, {"spec", "resourceClaims"})) {
      const auto name = name_of_claim(pod_, pod_claim);
      if (!name || name->empty()) continue;
      const Value claim = get(cluster_, kResourceClaims, namespace_of(pod_), *name);
      if (claim.is_null()) return {};
      if (claim.at({"status", "allocation"}) == nullptr || is_reserved(claim)) continue;
      TAB_CHECK(update_status(cluster_, ref_of(cluster_, kResourceClaims, claim),
                              [&](Value& changed) { add_reservation(changed); }));
    }
    return {};
  }

  bool is_reserved(const Value& claim) const {
    const auto entries = items_at(claim, {"status", "reservedFor"});
    return std::any_of(entries.begin(), entries.end(),
                       [&](const Value& entry) { return entry.string_at("uid") == uid_of(pod_); });
  }

  void add_reservation(Value& claim) const {
    json::Arena& arena = cluster_.arena;
    Value& status = object_or_new(claim, "status", arena);
    Value entries = Value::array(arena);
    for (const Value& entry : items_in(status, "reservedFor")) entries.push_back(arena, entry);
    entries.push_back(arena, object_of({{"resource", Value::string("pods")},
                                        {"name", Value::string(name_of(pod_))},
                                        {"uid", Value::string(uid_of(pod_))}},
                                       arena));
    status.set(arena, "reservedFor", entries);
  }

  const ReconcileContext& cluster_;
  const Value& pod_;
  Value statuses_;
  bool any_new_ = false;
};

// One ResourceClaim: whom it serves, and whether it is still needed.
class ClaimUse {
 public:
  ClaimUse(const ReconcileContext& cluster, const Value& claim)
      : cluster_(cluster), claim_(claim), ref_(ref_of(cluster, kResourceClaims, claim)) {}

  Result<void> sync() {
    const auto entries = items_at(claim_, {"status", "reservedFor"});
    Value remaining = Value::array(cluster_.arena);
    for (const Value& entry : entries) {
      if (!is_stale(entry)) remaining.push_back(cluster_.arena, entry);
    }
    const bool unused = remaining.size() == 0;
    if (remaining.size() < entries.size()) {
      TAB_CHECK(release(remaining, unused && is_protected()));
      if (unused && is_protected()) TAB_CHECK(remove_protection());
    } else if (is_protected() && is_terminating(claim_) && unused) {
      if (claim_.at({"status", "allocation"}) != nullptr) TAB_CHECK(release(remaining, true));
      TAB_CHECK(remove_protection());
    }
    return unused ? delete_if_done() : Result<void>();
  }

 private:
  bool is_stale(const Value& entry) const {
    if (!entry.string_at("apiGroup").empty() || entry.string_at("resource") != "pods") return false;
    const Value pod = get(cluster_, kPods, namespace_of(claim_), entry.string_at("name"));
    return pod.is_null() || uid_of(pod) != entry.string_at("uid") || is_done(pod);
  }

  bool is_protected() const {
    const auto finalizers = items_at(claim_, {"metadata", "finalizers"});
    return std::any_of(finalizers.begin(), finalizers.end(), [](const Value& finalizer) {
      return finalizer.as_string() == kDeleteProtection;
    });
  }

  // Sets for whom the claim is reserved, and takes its devices back.
  Result<void> release(const Value& remaining, bool deallocates) {
    TAB_CHECK(update_status(cluster_, ref_, [&](Value& changed) {
      Value& status = object_or_new(changed, "status", cluster_.arena);
      status.erase("reservedFor");
      if (remaining.size() > 0) status.set(cluster_.arena, "reservedFor", remaining);
      if (deallocates) status.erase("allocation");
    }));
    return {};
  }

  Result<void> remove_protection() {
    TAB_CHECK(update(cluster_, ref_, [&](Value& changed) {
      Value& metadata = *changed.find("metadata");
      Value others = Value::array(cluster_.arena);
      for (const Value& finalizer : items_in(metadata, "finalizers")) {
        if (finalizer.as_string() != kDeleteProtection) others.push_back(cluster_.arena, finalizer);
      }
      metadata.erase("finalizers");
      if (others.size() > 0) metadata.set(cluster_.arena, "finalizers", others);
    }));
    return {};
  }

  // Deletes a claim that was made for a pod that does not need it any more. If the pod is gone, the
  // garbage collector does that.
  Result<void> delete_if_done() const {
    const Value* owner = controller_of(claim_);
    if (owner == nullptr || owner->string_at("kind") != "Pod" ||
        owner->string_at("apiVersion") != "v1") {
      return {};
    }
    const Value pod = get(cluster_, kPods, namespace_of(claim_), owner->string_at("name"));
    if (pod.is_null() || (uid_of(pod) == owner->string_at("uid") && !is_done(pod))) return {};
    const auto deleted = delete_object(cluster_, ref_, uid_of(claim_));
    if (deleted || deleted.error().code == 404) return {};
    return Failure(deleted.error());
  }

  const ReconcileContext& cluster_;
  const Value& claim_;
  const registry::ObjectRef ref_;
};

}  // namespace

void ResourceClaims::observe_pod(const WatchEvent& change) {
  const Value& object = change.object();
  if (!has_claims(object)) return;
  if (change.now == nullptr || is_done(object)) {
    for (const std::string_view name : names_of_claims(object)) {
      queue_.add(key_of_claim(change.ns, name), change.due());
    }
  }
  if (change.now != nullptr && !is_terminating(object)) {
    queue_.add(std::string(kPodKey) + queue_key(change.ns, change.name), change.due());
  }
}

void ResourceClaims::on_change(const registry::Registry&, const WatchEvent& change) {
  if (change.pod != nullptr || change.pod_before != nullptr) return observe_pod(change);
  const bool of_claim = is(change.type, kResourceClaims);
  if (!of_claim && !(change.now != nullptr && is(change.type, kResourceClaimTemplates))) return;
  if (of_claim && change.now != nullptr) {
    queue_.add(key_of_claim(change.ns, change.name), change.due());
  }
  // Of pods that name it.
  for (const PodSummary* pod : change.informers.pods_in(change.ns)) {
    const std::string name = "\"" + std::string(change.name) + "\"";
    if (pod->deletion_timestamp || pod->record->bytes.find(name) == std::string::npos) continue;
    if (!has_claims(*pod)) continue;
    queue_.add(std::string(kPodKey) + queue_key(pod->ns, pod->name), change.due());
  }
}

Result<void> ResourceClaims::sync(const ReconcileContext& cluster, const std::string& key) {
  const bool of_pod = key.starts_with(kPodKey);
  const auto [ns, name] =
      split_queue_key(std::string_view(key).substr((of_pod ? kPodKey : kClaimKey).size()));
  const Value object = get(cluster, of_pod ? kPods : kResourceClaims, ns, name);
  if (object.is_null()) return {};
  if (!of_pod) return ClaimUse(cluster, object).sync();
  return is_terminating(object) ? Result<void>() : PodClaims(cluster, object).sync();
}

}  // namespace tabernetes::controllers
