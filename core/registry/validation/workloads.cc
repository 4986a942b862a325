#include "registry/validation/workloads.h"

#include <string>

#include "registry/validation/claim_spec.h"
#include "registry/validation/internal_form.h"
#include "registry/validation/pod.h"
#include "registry/validation/pod_parts.h"
#include "registry/validation/selectors.h"
#include "registry/validation/workload_parts.h"

namespace tabernetes::registry::validation {
namespace {

using json::Arena;
using json::Value;

constexpr std::string_view kDecremented = "cannot be decremented";

// --- Templates

void validate_always_running(const Field& tmpl, std::string_view kind) {
  const Field spec = tmpl["spec"];
  spec["restartPolicy"].one_of("Always");
  const Field deadline = spec["activeDeadlineSeconds"];
  if (deadline.present()) {
    deadline.forbidden("activeDeadlineSeconds in " + std::string(kind) + " is not Supported");
  }
}

// False if there is none, or it is not sound.
bool validate_selector(const Field& selector, std::string_view kind) {
  if (!selector.present()) {
    selector.required();
    return true;  // it selects nothing, and that is sound
  }
  const bool sound = validate_label_selector(selector);
  if (selector["matchLabels"].empty() && selector["matchExpressions"].empty()) {
    selector.invalid("empty selector is invalid for " + std::string(kind));
  }
  return sound;
}

// --- Numbers of a status

void validate_counts(const Field& status, std::string_view names) {
  while (!names.empty()) {
    const std::size_t comma = names.find(',');
    status[names.substr(0, comma)].non_negative();
    names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 1);
  }
}

void validate_not_more(const Field& status, std::string_view names, std::string_view than,
                       std::string_view shown) {
  while (!names.empty()) {
    const std::size_t comma = names.find(',');
    const Field count = status[names.substr(0, comma)];
    if (count.number() > status.number_at(than)) {
      count.invalid_as(std::to_string(count.number()),
                       "cannot be greater than " + std::string(shown));
    }
    names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 1);
  }
}

void validate_collisions(const Field& object, const Field& old) {
  const Field status = object["status"];
  const Field before = old["status"];
  const Field now = status["collisionCount"];
  if (before.has("collisionCount") &&
      (!now.present() || now.number() < before.number_at("collisionCount"))) {
    now.invalid_as(std::to_string(now.number()), kDecremented);
  }
}

void validate_replica_counts(const Field& status) {
  validate_counts(status,
                  "replicas,fullyLabeledReplicas,readyReplicas,availableReplicas,"
                  "observedGeneration,terminatingReplicas");
  validate_not_more(status, "fullyLabeledReplicas,readyReplicas,availableReplicas", "replicas",
                    "status.replicas");
  validate_not_more(status, "availableReplicas", "readyReplicas", "readyReplicas");
}

// --- Deployments and ReplicaSets

void validate_rolling_deployment(const Field& rolling) {
  const Field unavailable = rolling["maxUnavailable"];
  const Field surge = rolling["maxSurge"];
  validate_share(unavailable);
  validate_share(surge);
  if (share_of(unavailable) == 0 && share_of(surge) == 0) {
    unavailable.invalid("may not be 0 when `maxSurge` is 0");
  }
  validate_at_most_all(unavailable);
}

void validate_strategy(const Field& strategy) {
  const Field type = strategy["type"];
  const Field rolling = strategy["rollingUpdate"];
  if (type.is("Recreate")) {
    if (rolling.present()) {
      rolling.forbidden("may not be specified when strategy `type` is 'Recreate'");
    }
  } else if (type.is("RollingUpdate")) {
    validate_rolling_deployment(rolling);
  } else {
    not_supported_struct(strategy, "apps.v1.DeploymentStrategy", "Recreate,RollingUpdate");
  }
}

void validate_replicated_template(const Field& spec) {
  const Field selector = spec["selector"];
  const Field tmpl = spec["template"];
  if (!validate_selector(selector, "deployment")) {
    return selector.invalid("invalid label selector");
  }
  validate_template_labels(selector, tmpl);
  validate_pod_template(tmpl);
  validate_always_running(tmpl, "ReplicaSet");
}

// --- StatefulSets

void validate_rolling_set(const Field& rolling) {
  rolling["partition"].non_negative();
  const Field unavailable = rolling["maxUnavailable"];
  if (!unavailable.present()) return;
  validate_share(unavailable);
  if (share_of(unavailable) == 0) unavailable.invalid("cannot be 0");
  validate_at_most_all(unavailable);
}

void validate_update_strategy(const Field& strategy) {
  const Field type = strategy["type"];
  const Field rolling = strategy["rollingUpdate"];
  if (type.text().empty()) {
    strategy.required();
  } else if (type.is("OnDelete")) {
    if (rolling.present()) {
      rolling.invalid_as(printed_struct(rolling, "apps.v1.RollingUpdateStatefulSetStrategy"),
                         "only allowed for updateStrategy 'RollingUpdate'");
    }
  } else if (type.is("RollingUpdate")) {
    validate_rolling_set(rolling);
  } else {
    strategy.invalid_as(printed_struct(strategy, "apps.v1.StatefulSetUpdateStrategy"),
                        "must be 'RollingUpdate' or 'OnDelete'");
  }
}

// The template as the controller will use it: names of pods are its own, and so are the volumes of
// the claims.
Value used_template(const Field& spec, Arena& arena) {
  const Field tmpl = spec["template"];
  const Field pod = tmpl["spec"];
  const Field claims = spec["volumeClaimTemplates"];
  if (!pod.present()) return *tmpl.value();
  Value used = tmpl.value()->shallow_copy(arena);
  Value own = pod.value()->shallow_copy(arena);
  own.erase("subdomain");
  own.erase("hostname");
  if (!claims.empty()) {
    NameTable names;
    Value volumes = Value::array(arena);
    for (const Field claim : claims.items()) {
      const Field metadata = claim["metadata"];
      const std::string_view name = metadata.text_at("name");
      if (!names.add(name)) continue;
      Value source = Value::object(arena);
      source.append(arena, "claimName", Value::string(name));
      Value volume = Value::object(arena);
      volume.append(arena, "name", Value::string(name));
      volume.append(arena, "persistentVolumeClaim", source);
      volumes.push_back(arena, volume);
    }
    const Field given = pod["volumes"];
    for (const Field volume : given.items()) {
      if (!names.has(volume.text_at("name"))) volumes.push_back(arena, *volume.value());
    }
    own.set(arena, "volumes", volumes);
  }
  used.set(arena, "spec", own);
  return used;
}

enum class Moment { kCreate, kUpdate };

void validate_stateful_spec(const Field& set, Moment moment) {
  const Field spec = set["spec"];
  const Field management = spec["podManagementPolicy"];
  if (management.require() && !listed("OrderedReady,Parallel", management.text())) {
    management.invalid("must be 'OrderedReady' or 'Parallel'");
  }
  validate_update_strategy(spec["updateStrategy"]);
  const Field retention = spec["persistentVolumeClaimRetentionPolicy"];
  if (retention.present()) {
    for (const std::string_view name : {"whenDeleted", "whenScaled"}) {
      retention[name].one_of("Retain,Delete");
    }
  }
  const Field claims = spec["volumeClaimTemplates"];
  if (moment == Moment::kCreate) {
    for (const Field claim : claims.items()) validate_claim_spec(claim["spec"]);
  }
  validate_counts(spec, "replicas,minReadySeconds");
  const Field ordinals = spec["ordinals"];
  ordinals["start"].non_negative();
  if (moment == Moment::kCreate) spec["serviceName"].format_or_empty(dns1123_label_faults);
  const Field selector = spec["selector"];
  const Field tmpl = spec["template"];
  if (!validate_selector(selector, "statefulset")) {
    selector.invalid("");
  } else {
    Arena arena;
    const Value used = used_template(spec, arena);
    const Field place = spec.as("template", Field(used, spec.errors()));
    const Field metadata = place["metadata"];
    const Field annotations = place.as("annotations", metadata["annotations"]);
    validate_template_labels(selector, place);
    validate_pod_template(place);
    validate_label_map(place.as("labels", metadata["labels"]));
    validate_annotation_map(annotations);
    validate_pod_annotations(annotations, place["spec"]);
  }
  validate_always_running(tmpl, "StatefulSet");
}

// Whether every member of `a` that may not change is the same in `b`.
bool same_fixed_members(const Field& a, const Field& b) {
  constexpr std::string_view kMayChange =
      "replicas,ordinals,template,updateStrategy,minReadySeconds,revisionHistoryLimit,"
      "persistentVolumeClaimRetentionPolicy";
  for (const Field member : a.items()) {
    if (!listed(kMayChange, member.name()) && !member.same(b[member.name()])) return false;
  }
  return true;
}

// --- DaemonSets

void validate_rolling_daemons(const Field& rolling) {
  const Field unavailable = rolling["maxUnavailable"];
  const Field surge = rolling["maxSurge"];
  for (const Field* share : {&unavailable, &surge}) validate_share(*share);
  for (const Field* share : {&unavailable, &surge}) validate_at_most_all(*share);
  if (share_of(unavailable) != 0 && share_of(surge) != 0) {
    surge.invalid("may not be set when maxUnavailable is non-zero");
  } else if (share_of(unavailable) == 0 && share_of(surge) == 0) {
    unavailable.required("cannot be 0 when maxSurge is 0");
  }
}

void validate_daemon_strategy(const Field& strategy) {
  const Field type = strategy["type"];
  if (type.is("OnDelete")) return;
  const Field rolling = strategy["rollingUpdate"];
  if (!type.is("RollingUpdate")) {
    not_supported_struct(strategy, "apps.v1.DaemonSetUpdateStrategy", "RollingUpdate,OnDelete");
  } else if (rolling.present()) {
    validate_rolling_daemons(rolling);
  } else {
    rolling.required();
  }
}

}  // namespace

void validate_deployment(const Field& deployment) {
  const Field spec = deployment["spec"];
  spec["replicas"].non_negative();
  validate_replicated_template(spec);
  validate_strategy(spec["strategy"]);
  validate_counts(spec, "minReadySeconds,revisionHistoryLimit");
  const Field deadline = spec["progressDeadlineSeconds"];
  if (!deadline.present()) return;
  deadline.non_negative();
  if (deadline.number() <= spec.number_at("minReadySeconds")) {
    deadline.invalid("must be greater than minReadySeconds");
  }
}

void validate_deployment_update(const Field& deployment, const Field& old) {
  validate_deployment(deployment);
  keep_selector(deployment, old);
}

void validate_deployment_status(const Field& deployment, const Field& old) {
  const Field status = deployment["status"];
  validate_counts(status,
                  "observedGeneration,replicas,updatedReplicas,readyReplicas,availableReplicas,"
                  "unavailableReplicas,terminatingReplicas,collisionCount");
  validate_not_more(status, "updatedReplicas,readyReplicas,availableReplicas", "replicas",
                    "status.replicas");
  validate_not_more(status, "availableReplicas", "readyReplicas", "readyReplicas");
  validate_collisions(deployment, old);
}

void validate_replica_set(const Field& set) {
  const Field spec = set["spec"];
  validate_counts(spec, "replicas,minReadySeconds");
  validate_replicated_template(spec);
}

void validate_replica_set_update(const Field& set, const Field& old) {
  validate_replica_set(set);
  keep_selector(set, old);
}

void validate_replica_set_status(const Field& set, const Field&) {
  validate_replica_counts(set["status"]);
}

void validate_stateful_set(const Field& set) { validate_stateful_spec(set, Moment::kCreate); }

void validate_stateful_set_update(const Field& set, const Field& old) {
  validate_stateful_spec(set, Moment::kUpdate);
  const Field now = set["spec"];
  const Field before = old["spec"];
  if (same_fixed_members(now, before) && same_fixed_members(before, now)) return;
  now.forbidden(
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
      "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and "
      "'minReadySeconds' are forbidden");
}

void validate_stateful_set_status(const Field& set, const Field& old) {
  const Field status = set["status"];
  validate_counts(status,
                  "replicas,readyReplicas,currentReplicas,updatedReplicas,availableReplicas,"
                  "observedGeneration,collisionCount");
  validate_not_more(status, "readyReplicas,currentReplicas,updatedReplicas,availableReplicas",
                    "replicas", "status.replicas");
  validate_not_more(status, "availableReplicas", "readyReplicas", "status.readyReplicas");
  validate_collisions(set, old);
}

void validate_daemon_set(const Field& set) {
  const Field spec = set["spec"];
  const Field selector = spec["selector"];
  const Field tmpl = spec["template"];
  if (validate_label_selector(selector)) validate_template_labels(selector, tmpl);
  if (selector.present() && selector["matchLabels"].empty() &&
      selector["matchExpressions"].empty()) {
    selector.invalid("empty selector is invalid for daemonset");
  }
  validate_pod_template(tmpl);
  validate_always_running(tmpl, "DaemonSet");
  spec["minReadySeconds"].non_negative();
  validate_daemon_strategy(spec["updateStrategy"]);
  spec["revisionHistoryLimit"].non_negative();
}

void validate_daemon_set_update(const Field& set, const Field& old) {
  keep_selector(set, old);
  validate_daemon_set(set);
}

void validate_daemon_set_status(const Field& set, const Field& old) {
  validate_counts(set["status"],
                  "currentNumberScheduled,numberMisscheduled,desiredNumberScheduled,numberReady,"
                  "observedGeneration,updatedNumberScheduled,numberAvailable,numberUnavailable,"
                  "collisionCount");
  validate_collisions(set, old);
}

void validate_replication_controller(const Field& controller) {
  const Field spec = controller["spec"];
  const Field selector = spec["selector"];
  const Field tmpl = spec["template"];
  spec["minReadySeconds"].non_negative();
  if (selector.empty()) selector.required();
  spec["replicas"].non_negative();
  if (!tmpl.present()) return tmpl.required();
  const Field metadata = tmpl["metadata"];
  const Field labels = metadata["labels"];
  if (!selects_by_map(selector, labels)) not_selected(labels);
  validate_pod_template(tmpl);
  validate_always_running(tmpl, "ReplicationController");
}

void validate_replication_controller_status(const Field& controller, const Field&) {
  validate_replica_counts(controller["status"]);
}

void validate_pod_template_object(const Field& object) {
  validate_pod_template(object["template"]);
}

void validate_controller_revision(const Field& revision) {
  revision["revision"].non_negative();
  const Field data = revision["data"];
  if (!data.present()) {
    data.required("data is mandatory");
  } else if (!data.value()->is_object()) {
    data.required("data must be a valid JSON object");
  }
}

void validate_controller_revision_update(const Field& revision, const Field& old) {
  revision["revision"].non_negative();
  revision["data"].immutable(old["data"]);
}

}  // namespace tabernetes::registry::validation
