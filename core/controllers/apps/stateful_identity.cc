#include "controllers/apps/stateful_identity.h"

#include <charconv>

#include "base/text/ascii.h"
#include "controllers/shared/event_recorder.h"
#include "controllers/shared/pod_control.h"
#include "controllers/shared/workload.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

std::string claim_name(const Owner& set, std::string_view template_name, std::int64_t ordinal) {
  return std::string(template_name)
      .append("-")
      .append(set.name())
      .append("-")
      .append(std::to_string(ordinal));
}

const registry::ResourceType& claims_type(const ReconcileContext& cluster) {
  return built_in(cluster.registry, "", "v1", "persistentvolumeclaims");
}

json::Range<Value> claim_templates(const Owner& set) {
  return items_at(set.object, {"spec", "volumeClaimTemplates"});
}

bool is_set_reference(const Value& reference, const Owner& set) {
  return reference.string_at("apiVersion") == set.type.api_version &&
         reference.string_at("kind") == set.type.resource->kind &&
         reference.string_at("name") == set.name();
}

bool is_pod_reference(const Value& reference, const StatefulPod& pod) {
  return reference.string_at("apiVersion") == "v1" && reference.string_at("kind") == "Pod" &&
         reference.string_at("name") == pod.name;
}

json::Range<Value> owners_of_claim(const Value& claim) {
  return items_at(claim, {"metadata", "ownerReferences"});
}

bool has_owner(const Value& claim, std::string_view uid) {
  for (const Value& reference : owners_of_claim(claim)) {
    if (reference.string_at("uid") == uid) return true;
  }
  return false;
}

// Returns true if the first reference by the pod's name is to another pod.
bool has_stale_pod(const Value& claim, const StatefulPod& pod) {
  for (const Value& reference : owners_of_claim(claim)) {
    if (is_pod_reference(reference, pod)) return reference.string_at("uid") != pod.uid;
  }
  return false;
}

bool has_stale_set(const Value& claim, const Owner& set) {
  for (const Value& reference : owners_of_claim(claim)) {
    if (is_set_reference(reference, set)) return reference.string_at("uid") != set.uid();
  }
  return false;
}

bool deletes_claims(const Owner& set, std::string_view when) {
  return text_at(set.object, {"spec", "persistentVolumeClaimRetentionPolicy", when}) == "Delete";
}

Value controller_reference(std::string_view api_version, std::string_view kind,
                           std::string_view name, std::string_view uid, json::Arena& arena) {
  Value reference = Value::object(arena);
  reference.append(arena, "apiVersion", Value::string(api_version));
  reference.append(arena, "kind", Value::string(kind));
  reference.append(arena, "name", Value::string(arena.copy(name)));
  reference.append(arena, "uid", Value::string(arena.copy(uid)));
  reference.append(arena, "controller", Value::boolean(true));
  reference.append(arena, "blockOwnerDeletion", Value::boolean(true));
  return reference;
}

// Returns the pod's volumes: those of its claims, then the others of the template.
Value with_claim_volumes(const Owner& set, const Value* volumes, std::int64_t ordinal,
                         json::Arena& arena) {
  Value all = Value::array(arena);
  const auto is_claimed = [&](std::string_view name) {
    for (const Value& claim : claim_templates(set)) {
      if (text_at(claim, {"metadata", "name"}) == name) return true;
    }
    return false;
  };
  for (const Value& claim : claim_templates(set)) {
    const std::string_view name = text_at(claim, {"metadata", "name"});
    Value source = Value::object(arena);
    source.append(arena, "claimName", Value::string(arena.copy(claim_name(set, name, ordinal))));
    Value volume = Value::object(arena);
    volume.append(arena, "name", Value::string(name));
    volume.append(arena, "persistentVolumeClaim", source);
    all.push_back(arena, volume);
  }
  if (volumes != nullptr && volumes->is_array()) {
    for (const Value& volume : volumes->items()) {
      if (!is_claimed(volume.string_at("name"))) all.push_back(arena, volume);
    }
  }
  return all;
}

}  // namespace

StatefulName parse_stateful_name(std::string_view pod_name) {
  const std::size_t dash = pod_name.rfind('-');
  if (dash == std::string_view::npos) return {};
  const std::string_view digits = pod_name.substr(dash + 1);
  if (!is_number(digits)) return {};
  std::int32_t ordinal = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), ordinal);
  return {pod_name.substr(0, dash), error == std::errc() ? ordinal : -1};
}

std::int64_t start_ordinal(const Owner& set) {
  return number_at(set.object, {"spec", "ordinals", "start"});
}

bool in_ordinal_range(const Owner& set, std::int64_t ordinal) {
  const std::int64_t start = start_ordinal(set);
  return ordinal >= start && ordinal < start + number_at(set.object, {"spec", "replicas"});
}

Value stateful_pod(const Owner& set, const Value& pod_template, std::int64_t ordinal,
                   std::string_view revision, json::Arena& arena) {
  const std::string_view name = arena.copy(std::string(set.name()) + "-" + std::to_string(ordinal));
  Value pod = pod_from_template(set, pod_template, arena).clone(arena);
  Value& metadata = *pod.find("metadata");
  metadata.set(arena, "name", Value::string(name));
  Value& labels = object_or_new(metadata, "labels", arena);
  labels.set(arena, "statefulset.kubernetes.io/pod-name", Value::string(name));
  labels.set(arena, "apps.kubernetes.io/pod-index",
             Value::string(arena.copy(std::to_string(ordinal))));
  labels.set(arena, "controller-revision-hash", Value::string(arena.copy(revision)));
  Value& spec = object_or_new(pod, "spec", arena);
  spec.set(arena, "hostname", Value::string(name));
  const std::string_view service = text_at(set.object, {"spec", "serviceName"});
  if (service.empty()) {
    spec.erase("subdomain");
  } else {
    spec.set(arena, "subdomain", Value::string(service));
  }
  const Value volumes = with_claim_volumes(set, spec.find("volumes"), ordinal, arena);
  if (volumes.size() > 0) spec.set(arena, "volumes", volumes);
  return pod;
}

Value StatefulClaims::read_claim(const Value& claim_template, const StatefulPod& pod) const {
  const std::string name =
      claim_name(set_, text_at(claim_template, {"metadata", "name"}), pod.ordinal);
  return cluster_.read({&claims_type(cluster_), set_.ns(), name});
}

void StatefulClaims::tell_claim(const StatefulPod& pod, std::string_view claim,
                                const ApiStatus* error) const {
  std::string message = "Create Claim " + std::string(claim) + (error == nullptr ? "" : " for") +
                        " Pod " + pod.name + " in StatefulSet " + std::string(set_.name());
  message += error == nullptr ? " success" : " failed error: " + error->message;
  record_event(
      cluster_, set_.type, set_.object,
      {set_.source, error == nullptr ? "Normal" : "Warning",
       error == nullptr ? "SuccessfulCreate" : "FailedCreate", cluster_.arena.copy(message)});
}

Result<void> StatefulClaims::create_missing(const StatefulPod& pod) const {
  json::Arena& arena = cluster_.arena;
  std::string faults;
  const auto add_fault = [&](const std::string& fault) {
    faults.append(faults.empty() ? "" : ", ").append(fault);
  };
  for (const Value& claim_template : claim_templates(set_)) {
    const std::string name =
        claim_name(set_, text_at(claim_template, {"metadata", "name"}), pod.ordinal);
    const Value existing = read_claim(claim_template, pod);
    if (!existing.is_null()) {
      if (has(existing, {"metadata", "deletionTimestamp"})) {
        add_fault("pvc " + name + " is being deleted");
      }
      continue;
    }
    Value claim = claim_template.clone(arena);
    Value& metadata = object_or_new(claim, "metadata", arena);
    metadata.set(arena, "name", Value::string(arena.copy(name)));
    metadata.set(arena, "namespace", Value::string(set_.ns()));
    for (const json::Member& label : members_at(set_.object, {"spec", "selector", "matchLabels"})) {
      object_or_new(metadata, "labels", arena).set(arena, label.key, label.value);
    }
    const auto created = cluster_.registry.create(cluster_.context(), claims_type(cluster_),
                                                  set_.ns(), claim.clone(arena));
    tell_claim(pod, name, created ? nullptr : &created.error());
    if (!created) add_fault("failed to create PVC " + name + ": " + created.error().message);
  }
  if (faults.empty()) return {};
  return errors::plain_error(faults.find(", ") == std::string::npos ? faults : "[" + faults + "]");
}

StatefulClaims::Wanted StatefulClaims::wanted_owners(const StatefulPod& pod) const {
  const bool scaled_down = !in_ordinal_range(set_, pod.ordinal);
  const bool when_scaled = deletes_claims(set_, "whenScaled");
  return {.by_set = deletes_claims(set_, "whenDeleted") && !(when_scaled && scaled_down),
          .by_pod = when_scaled && scaled_down};
}

bool StatefulClaims::has_unexpected_controller(const Value& claim, const StatefulPod& pod) const {
  if (!deletes_claims(set_, "whenScaled") && !deletes_claims(set_, "whenDeleted")) return false;
  for (const Value& reference : owners_of_claim(claim)) {
    if (is_set_reference(reference, set_)) {
      if (reference.string_at("uid") != set_.uid()) return true;
    } else if (is_pod_reference(reference, pod)) {
      if (reference.string_at("uid") != pod.uid) return true;
    } else if (bool_at(reference, {"controller"})) {
      return true;
    }
  }
  return false;
}

bool StatefulClaims::is_up_to_date(const Value& claim, const StatefulPod& pod) const {
  // An owner that is gone: the claim is about to be deleted.
  if (has_stale_set(claim, set_) || has_stale_pod(claim, pod)) return true;
  const bool by_set = has_owner(claim, set_.uid());
  const bool by_pod = has_owner(claim, pod.uid);
  if (has_unexpected_controller(claim, pod)) return !by_set && !by_pod;
  for (const Value& reference : owners_of_claim(claim)) {
    const std::string_view uid = reference.string_at("uid");
    if ((uid == set_.uid() || uid == pod.uid) && !bool_at(reference, {"controller"})) return false;
  }
  const Wanted wanted = wanted_owners(pod);
  return by_set == wanted.by_set && by_pod == wanted.by_pod;
}

bool StatefulClaims::match_retention_policy(const StatefulPod& pod) const {
  for (const Value& claim_template : claim_templates(set_)) {
    const Value claim = read_claim(claim_template, pod);
    if (!claim.is_null() && !is_up_to_date(claim, pod)) return false;
  }
  return true;
}

Result<void> StatefulClaims::set_owners(Value claim, const StatefulPod& pod) const {
  json::Arena& arena = cluster_.arena;
  Value owners = Value::array(arena);
  for (const Value& reference : owners_of_claim(claim)) {
    if (!is_set_reference(reference, set_) && !is_pod_reference(reference, pod)) {
      owners.push_back(arena, reference);
    }
  }
  if (!has_unexpected_controller(claim, pod)) {
    const Wanted wanted = wanted_owners(pod);
    if (wanted.by_pod) {
      owners.push_back(arena, controller_reference("v1", "Pod", pod.name, pod.uid, arena));
    }
    if (wanted.by_set) owners.push_back(arena, new_controller_ref(set_, arena));
  }
  Value& metadata = *claim.find("metadata");
  if (owners.size() > 0) {
    metadata.set(arena, "ownerReferences", owners);
  } else {
    metadata.erase("ownerReferences");
  }
  TAB_CHECK(update_object(cluster_, claims_type(cluster_), claim));
  return {};
}

Result<void> StatefulClaims::apply_retention_policy(const StatefulPod& pod) const {
  for (const Value& claim_template : claim_templates(set_)) {
    const Value claim = read_claim(claim_template, pod);
    if (claim.is_null()) continue;
    const std::string name(text_at(claim, {"metadata", "name"}));
    if (has_unexpected_controller(claim, pod)) {
      record_event(cluster_, set_.type, set_.object,
                   {set_.source, "Warning", "ConflictingController",
                    cluster_.arena.copy("PersistentVolumeClaim " + name +
                                        " has a conflicting OwnerReference that acts as a manging "
                                        "controller, the retention policy is ignored for this "
                                        "claim")});
    }
    if (is_up_to_date(claim, pod)) continue;
    auto updated = set_owners(claim, pod);
    if (!updated) {
      return errors::plain_error("could not update claim " + name +
                                 " for delete policy ownerRefs: " + updated.error().message);
    }
  }
  return {};
}

bool StatefulClaims::is_stale(const StatefulPod& pod) const {
  if (!deletes_claims(set_, "whenScaled")) return false;
  for (const Value& claim_template : claim_templates(set_)) {
    const Value claim = read_claim(claim_template, pod);
    if (!claim.is_null() && has_stale_pod(claim, pod)) return true;
  }
  return false;
}

}  // namespace tabernetes::controllers
