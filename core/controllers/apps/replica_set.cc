#include "controllers/apps/replica_set.h"

#include <algorithm>

#include "controllers/shared/active_pods.h"
#include "controllers/shared/pod_control.h"
#include "controllers/shared/pod_owners.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"
#include "registry/selectors/selector_object.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr ReplicaSetKind kReplicaSetKind{"apps", "replicasets", "replicaset-controller", true};
constexpr ReplicaSetKind kReplicationControllerKind{"", "replicationcontrollers",
                                                    "replication-controller", false};

constexpr std::string_view kReplicaFailure = "ReplicaFailure";

// Returns a selector of pods that have all labels of the set's template.
registry::LabelSelector template_labels(const Value& set, json::Arena& arena) {
  Value selector = Value::object(arena);
  if (const Value* labels = set.at({"spec", "template", "metadata", "labels"})) {
    selector.append(arena, "matchLabels", *labels);
  }
  return registry::read_label_selector(selector).value_or(registry::LabelSelector());
}

}  // namespace

ReplicaSets::ReplicaSets() : Cloneable(kReplicaSetKind) {}
ReplicationControllers::ReplicationControllers() : Cloneable(kReplicationControllerKind) {}

void ReplicaSetsOf::on_change(const registry::Registry& registry, const WatchEvent& change) {
  if (is_resource(change.type, kind_.group, kind_.plural)) {
    if (change.now == nullptr) return;
    const std::string_view uid = text_at(change.object_now.get(), {"metadata", "uid"});
    queue_.add(change.key, change.due_for(uid));
  } else if (change.pod != nullptr || change.pod_before != nullptr) {
    queue_pod_owners(registry, change, type(registry), selectors_, queue_);
  }
}

Result<void> ReplicaSetsOf::sync(const ReconcileContext& cluster, const std::string& key) {
  const registry::ResourceType& sets = type(cluster.registry);
  const auto [ns, name] = registry::split_key(sets, key);
  const Value object = cluster.read({&sets, ns, name});
  if (object.is_null()) return {};
  const Owner set{sets, object, kind_.source};
  const auto selector = workload_selector(object);
  if (!selector) return {};

  RepeatedMatch selects(*selector);
  Informers::Pods active, terminating;
  const auto add = [&](const Informers::Pods& pods) {
    for (const PodSummary* pod : pods) {
      if (pod->active()) active.push_back(pod);
      if (pod->terminating() && !pod->controller_uid.empty() && selects(*pod)) {
        terminating.push_back(pod);
      }
    }
  };
  add(cluster.informers.pods_of(set.uid()));
  add(cluster.informers.orphan_pods(ns));
  TAB_TRY(active,
          claim_pods(cluster, set, active, [&](const PodSummary& pod) { return selects(pod); }));

  Result<void> managed;
  if (!set.terminating()) managed = manage_replicas(cluster, set, active);
  Value updated = object.shallow_copy(cluster.arena);
  updated.set(cluster.arena, "status",
              new_status(cluster, set, active, static_cast<std::int64_t>(terminating.size()),
                         managed ? nullptr : &managed.error()));
  if (!deep_equal(updated.find("status"), object.find("status"))) {
    TAB_CHECK(update_status(cluster, sets, updated));
  }
  if (!managed) return managed;

  const std::int64_t min_ready = number_at(object, {"spec", "minReadySeconds"});
  if (min_ready > 0) {
    for (const PodSummary* pod : active) {
      if (const auto next = pod->next_availability(min_ready, cluster.now)) queue_.add(key, *next);
    }
  }
  return {};
}

Result<void> ReplicaSetsOf::manage_replicas(const ReconcileContext& cluster, const Owner& set,
                                            Informers::Pods active) const {
  const std::int64_t wanted = number_at(set.object, {"spec", "replicas"});
  const std::int64_t missing = wanted - static_cast<std::int64_t>(active.size());
  if (missing > 0) {
    const Value* pod_template = set.object.at({"spec", "template"});
    if (pod_template == nullptr) return {};
    const Value pod = pod_from_template(set, *pod_template, cluster.arena);
    return slow_start_batch(std::min(missing, kBurstReplicas), [&]() -> Result<void> {
      auto created = create_pod(cluster, set, pod);
      if (!created && is_namespace_terminating(created.error())) return {};
      return created;
    });
  }
  const auto surplus = static_cast<std::size_t>(std::min(-missing, kBurstReplicas));
  if (surplus == 0) return {};
  if (surplus < active.size()) {
    sort_for_deletion(active, related_pods(cluster, set), cluster.now);
  }
  Result<void> result;
  for (std::size_t i = 0; i < surplus; ++i) {
    Result<void> deleted = delete_pod(cluster, set, active[i]->name);
    if (!deleted && deleted.error().code != 404 && result) result = std::move(deleted);
  }
  return result;
}

Informers::Pods ReplicaSetsOf::related_pods(const ReconcileContext& cluster,
                                            const Owner& set) const {
  const Value* controller = controller_of(set.object);
  if (controller == nullptr) return cluster.informers.pods_of(set.uid());
  Informers::Pods related;
  for (const store::RecordPtr& record :
       cluster.informers.objects_of(controller->string_at("uid"), set.type)) {
    json::Arena arena;
    const Value sibling = registry::read_object(set.type, *record, arena);
    const Informers::Pods pods = cluster.informers.pods_of(text_at(sibling, {"metadata", "uid"}));
    related.insert(related.end(), pods.begin(), pods.end());
  }
  return related;
}

Value ReplicaSetsOf::new_status(const ReconcileContext& cluster, const Owner& set,
                                const Informers::Pods& active, std::int64_t terminating,
                                const ApiStatus* failure) const {
  json::Arena& arena = cluster.arena;
  const std::int64_t min_ready = number_at(set.object, {"spec", "minReadySeconds"});
  const registry::LabelSelector full = template_labels(set.object, arena);
  RepeatedMatch has_all_labels(full);
  std::int64_t labelled = 0, ready = 0, available = 0;
  for (const PodSummary* pod : active) {
    if (has_all_labels(*pod)) ++labelled;
    if (pod->ready) ++ready;
    if (pod->available(min_ready, cluster.now)) ++available;
  }

  const Value* old = set.object.find("status");
  Value status = old == nullptr ? Value::object(arena) : old->clone(arena);
  if (failure != nullptr && condition_in(status, kReplicaFailure) == nullptr) {
    const auto count = static_cast<std::int64_t>(active.size());
    const bool creating = count < number_at(set.object, {"spec", "replicas"});
    Value condition = Value::object(arena);
    condition.append(arena, "type", Value::string(kReplicaFailure));
    condition.append(arena, "status", Value::string("True"));
    condition.append(arena, "lastTransitionTime", time_value(cluster.now, arena));
    condition.append(arena, "reason", Value::string(creating ? "FailedCreate" : "FailedDelete"));
    condition.append(arena, "message", Value::string(arena.copy(failure->message)));
    move_condition_to_end(status, condition, arena);
  } else if (failure == nullptr) {
    remove_condition(status, kReplicaFailure, arena);
  }
  status.set(arena, "replicas", Value::integer(static_cast<std::int64_t>(active.size())));
  set_count(status, "fullyLabeledReplicas", labelled, arena);
  set_count(status, "readyReplicas", ready, arena);
  set_count(status, "availableReplicas", available, arena);
  if (kind_.counts_terminating_pods) {
    status.set(arena, "terminatingReplicas", Value::integer(terminating));
  }
  status.set(arena, "observedGeneration",
             Value::integer(number_at(set.object, {"metadata", "generation"})));
  return status;
}

}  // namespace tabernetes::controllers
