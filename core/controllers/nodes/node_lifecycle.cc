#include "controllers/nodes/node_lifecycle.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "controllers/nodes/node_taints.h"
#include "controllers/shared/event_recorder.h"
#include "controllers/shared/objects.h"
#include "controllers/shared/ticks.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kNodeSource = "node-controller";
constexpr std::string_view kLeaseNamespace = "kube-node-lease";
constexpr std::string_view kAllNodes = "nodes";
constexpr Duration kMonitorInterval = Duration::from_seconds(5);
constexpr Duration kTaintInterval = Duration::from_milliseconds(100);
// How long after a change of a node its taints follow. The scheduler is quicker: it finds a node
// that is schedulable again with the taint still on it, as upstream's does.
constexpr Duration kTaintDelay = Duration::from_milliseconds(5);
constexpr Duration kGracePeriod = Duration::from_seconds(50);
constexpr Duration kStartupGracePeriod = Duration::from_seconds(60);

// A condition whose status taints the node.
struct TaintingCondition {
  std::string_view type, status, key;
};
constexpr TaintingCondition kTaintingConditions[] = {
    {"Ready", "False", kNotReadyKey},
    {"Ready", "Unknown", kUnreachableKey},
    {"MemoryPressure", "True", "node.kubernetes.io/memory-pressure"},
    {"DiskPressure", "True", "node.kubernetes.io/disk-pressure"},
    {"NetworkUnavailable", "True", "node.kubernetes.io/network-unavailable"},
    {"PIDPressure", "True", "node.kubernetes.io/pid-pressure"},
};
constexpr std::string_view kUnschedulableKey = "node.kubernetes.io/unschedulable";

std::string_view ready_status(const Value& node) {
  const Value* ready = registry::find_condition(node, "Ready");
  return ready == nullptr ? std::string_view() : ready->string_at("status");
}

std::string zone_of(const Value& node) {
  std::string zone(text_at(node, {"metadata", "labels", "topology.kubernetes.io/region"}));
  zone += ":";
  return zone.append(text_at(node, {"metadata", "labels", "topology.kubernetes.io/zone"}));
}

void tell_of_node(const ReconcileContext& cluster, std::string_view name, std::string_view uid,
                  std::string_view reason, const std::string& message) {
  const Value node = object_of(
      {{"metadata",
        object_of({{"name", Value::string(name)}, {"uid", Value::string(uid)}}, cluster.arena)}},
      cluster.arena);
  record_event(cluster, type_of(cluster.registry, kNodes), node,
               {kNodeSource, "Normal", reason, message});
}

std::vector<Taint> taints_by_conditions(const Value& node) {
  std::vector<Taint> wanted;
  for (const Value& condition : items_at(node, {"status", "conditions"})) {
    for (const TaintingCondition& row : kTaintingConditions) {
      if (condition.string_at("type") == row.type && condition.string_at("status") == row.status) {
        wanted.push_back({row.key, kNoSchedule});
      }
    }
  }
  if (bool_at(node, {"spec", "unschedulable"})) wanted.push_back({kUnschedulableKey, kNoSchedule});
  return wanted;
}

bool is_ours(std::string_view key) {
  return key == kUnschedulableKey ||
         std::any_of(std::begin(kTaintingConditions), std::end(kTaintingConditions),
                     [&](const TaintingCondition& row) { return row.key == key; });
}

// Lets the labels of old names follow those of today.
void complete_labels(const ReconcileContext& cluster, const Value& node) {
  struct Pair {
    std::string_view label, old_name;
  };
  constexpr Pair kPairs[] = {{"kubernetes.io/os", "beta.kubernetes.io/os"},
                             {"kubernetes.io/arch", "beta.kubernetes.io/arch"}};
  const auto needs = [&](const Pair& pair) {
    const std::string_view value = text_at(node, {"metadata", "labels", pair.label});
    return !value.empty() && value != text_at(node, {"metadata", "labels", pair.old_name});
  };
  if (std::none_of(std::begin(kPairs), std::end(kPairs), needs)) return;
  (void)update(cluster, ref_of(cluster, kNodes, node), [&](Value& object) {
    Value& labels = *object.find("metadata")->find("labels");
    for (const Pair& pair : kPairs) {
      if (needs(pair)) labels.set(cluster.arena, pair.old_name, *labels.find(pair.label));
    }
  });
}

}  // namespace

void NodeLifecycle::resync() {
  nodes_.clear();
  zones_.clear();
  for (WorkQueue* queue : {&conditions_, &monitor_, &silent_, &taints_, &pods_}) queue->clear();
}

std::optional<Time> NodeLifecycle::next() const {
  std::optional<Time> first;
  for (const WorkQueue* queue : {&conditions_, &monitor_, &silent_, &taints_, &pods_}) {
    const std::optional<Time> next = queue->next();
    if (next && (!first || *next < *first)) first = next;
  }
  return first;
}

std::optional<Time> NodeLifecycle::next_once() const {
  std::optional<Time> first;
  for (const WorkQueue* queue : {&conditions_, &monitor_, &silent_, &taints_, &pods_}) {
    const std::optional<Time> next = queue->next_once();
    if (next && (!first || *next < *first)) first = next;
  }
  return first;
}

void NodeLifecycle::on_change(const registry::Registry&, const WatchEvent& change) {
  if (is(change.type, kNodes)) {
    observe_node(change);
  } else if (is(change.type, kLeases)) {
    observe_lease(change);
  } else if (change.pod != nullptr && !change.pod->node.empty() &&
             (change.pod_before == nullptr || change.pod_before->node != change.pod->node)) {
    const auto node = nodes_.find(change.pod->node);
    if (node == nodes_.end() || node->second.ready.empty() || node->second.ready == "True") return;
    pods_.add(queue_key(change.ns, change.name), change.due());
  }
}

void NodeLifecycle::observe_node(const WatchEvent& change) {
  const Time tick = next_tick(change.due(), kMonitorInterval);
  const auto known = nodes_.find(change.name);
  if (change.now == nullptr) {
    if (known != nodes_.end()) known->second.is_gone = true;
    monitor_.add(kAllNodes, tick);
    return;
  }
  const Value& node = change.object_now.get();
  conditions_.add(change.name,
                  change.before == nullptr ? change.due() : change.due() + kTaintDelay);
  Health& health = nodes_[std::string(change.name)];
  const std::string_view ready = ready_status(node);
  const bool is_new = known == nodes_.end() || health.is_gone || health.uid != uid_of(node);
  if (is_new) {
    health = {};
    health.uid = uid_of(node);
    const auto created = time_at(node, {"metadata", "creationTimestamp"});
    health.heartbeat = ready.empty() && created ? *created : tick;
  } else if (ready.empty() != health.ready.empty()) {
    health.heartbeat = tick;
  } else if (!ready.empty()) {
    const auto heartbeat = [](const Value& object) {
      return registry::find_condition(object, "Ready")->string_at("lastHeartbeatTime");
    };
    const Value& before = change.object_before.get();
    if (ready_status(before).empty() || heartbeat(before) != heartbeat(node)) {
      health.heartbeat = tick;
    }
  }
  const std::string zone = zone_of(node);
  const bool excluded =
      node.at({"metadata", "labels", "node.kubernetes.io/exclude-disruption"}) != nullptr;
  const bool tainted =
      has_taint(node, {kNotReadyKey, kNoExecute}) || has_taint(node, {kUnreachableKey, kNoExecute});
  if (is_new || health.ready != ready || health.zone != zone || health.is_excluded != excluded ||
      health.has_no_execute != tainted || (ready != "True" && !ready.empty())) {
    monitor_.add(kAllNodes, tick);
  }
  health.ready = ready;
  health.zone = zone;
  health.is_excluded = excluded;
  health.has_no_execute = tainted;
  silent_.add(change.name, health.heartbeat + (ready.empty() ? kStartupGracePeriod : kGracePeriod),
              Recurrence::kPeriodic);
}

void NodeLifecycle::observe_lease(const WatchEvent& change) {
  if (change.ns != kLeaseNamespace || change.now == nullptr) return;
  const auto node = nodes_.find(change.name);
  if (node == nodes_.end()) return;
  // Only what was renewed counts.
  const auto renewed = [](const Value& lease) { return time_at(lease, {"spec", "renewTime"}); };
  if (change.before != nullptr &&
      renewed(change.object_now.get()) <= renewed(change.object_before.get())) {
    return;
  }
  node->second.heartbeat = next_tick(change.due(), kMonitorInterval);
}

void NodeLifecycle::reconcile_due(const ReconcileContext& cluster) {
  if (const auto node = conditions_.take(cluster.due)) {
    follow_conditions(cluster, *node);
  } else if (monitor_.take(cluster.due)) {
    monitor(cluster);
  } else if (const auto silent = silent_.take(cluster.due)) {
    const auto health = nodes_.find(*silent);
    if (health == nodes_.end() || health->second.ready == "Unknown") return;
    const Time due = health->second.heartbeat +
                     (health->second.ready.empty() ? kStartupGracePeriod : kGracePeriod);
    if (due > cluster.due) {
      silent_.add(*silent, due, Recurrence::kPeriodic);
    } else {
      monitor_.add(kAllNodes, next_tick(cluster.due, kMonitorInterval));
    }
  } else if (const auto zone = taints_.take(cluster.due)) {
    taint_in_zone(cluster, *zone);
  } else if (const auto key = pods_.take(cluster.due)) {
    const auto [ns, name] = split_queue_key(*key);
    const PodPtr pod = cluster.informers.pod(type_of(cluster.registry, kPods).key(ns, name));
    if (pod != nullptr) mark_pods_not_ready(cluster, {pod.get()});
  }
}

void NodeLifecycle::follow_conditions(const ReconcileContext& cluster, const std::string& name) {
  const Value node = get(cluster, kNodes, {}, name);
  if (node.is_null()) return;
  const std::vector<Taint> wanted = taints_by_conditions(node);
  std::vector<Taint> added, removed;
  for (const Taint& taint : wanted) {
    if (!has_taint(node, taint)) added.push_back(taint);
  }
  for (const Value& present : items_at(node, {"spec", "taints"})) {
    const Taint taint{present.string_at("key"), kNoSchedule};
    if (present.string_at("effect") != kNoSchedule || !is_ours(taint.key)) continue;
    if (std::find(wanted.begin(), wanted.end(), taint) == wanted.end()) removed.push_back(taint);
  }
  (void)swap_taints(cluster, name, added, removed);
  complete_labels(cluster, node);
}

void NodeLifecycle::monitor(const ReconcileContext& cluster) {
  for (auto& [name, health] : nodes_) {
    if (!health.is_gone && !health.is_registered) {
      health.is_registered = true;
      tell_of_node(cluster, name, health.uid, "RegisteredNode",
                   "Node " + name + " event: Registered Node " + name + " in Controller");
    }
  }
  for (auto it = nodes_.begin(); it != nodes_.end();) {
    if (!it->second.is_gone) {
      ++it;
      continue;
    }
    if (it->second.is_registered) {
      tell_of_node(cluster, it->first, it->second.uid, "RemovingNode",
                   "Node " + it->first + " event: Removing Node " + it->first + " from Controller");
    }
    zones_.remove(it->second.zone, it->first);
    it = nodes_.erase(it);
  }
  for (auto& [name, health] : nodes_) monitor_node(cluster, name, health);
  handle_disruption(cluster);
}

void NodeLifecycle::monitor_node(const ReconcileContext& cluster, const std::string& name,
                                 Health& health) {
  const std::string observed = health.ready;
  const Duration grace = observed.empty() ? kStartupGracePeriod : kGracePeriod;
  if (health.heartbeat + grace <= cluster.due) mark_unknown(cluster, name, health);
  if (health.ready.empty()) return;
  if (health.ready == "True") {
    if (health.has_no_execute) remove_no_execute(cluster, name);
    zones_.remove(health.zone, name);
    return;
  }
  const bool unknown = health.ready == "Unknown";
  const Taint taint{unknown ? kUnreachableKey : kNotReadyKey, kNoExecute};
  const Taint opposite{unknown ? kNotReadyKey : kUnreachableKey, kNoExecute};
  const Value node = get(cluster, kNodes, {}, name);
  if (has_taint(node, opposite)) {
    (void)swap_taints(cluster, name, {taint}, {opposite});
  } else if (!has_taint(node, taint)) {
    zones_.add(health.zone, name);
  }
  if (observed != "True") return;
  tell_of_node(cluster, name, health.uid, "NodeNotReady",
               "Node " + name + " status is now: NodeNotReady");
  mark_pods_not_ready(cluster, cluster.informers.pods_on(name));
}

void NodeLifecycle::mark_unknown(const ReconcileContext& cluster, const std::string& name,
                                 Health& health) {
  json::Arena& arena = cluster.arena;
  const registry::ObjectRef ref{&type_of(cluster.registry, kNodes), {}, name};
  const Value time = time_value(cluster.now, arena);
  const auto updated = update_status(cluster, ref, [&](Value& node) {
    Value& status = object_or_new(node, "status", arena);
    Value conditions = Value::array(arena);
    for (const Value& condition : items_in(status, "conditions")) {
      conditions.push_back(arena, condition);
    }
    for (const std::string_view type : {"Ready", "MemoryPressure", "DiskPressure", "PIDPressure"}) {
      const auto known =
          std::find_if(conditions.items().begin(), conditions.items().end(),
                       [&](const Value& condition) { return condition.string_at("type") == type; });
      if (known == conditions.items().end()) {
        const std::string_view created = text_at(node, {"metadata", "creationTimestamp"});
        conditions.push_back(
            arena, object_of({{"type", Value::string(type)},
                              {"status", Value::string("Unknown")},
                              {"lastHeartbeatTime", Value::string(created)},
                              {"lastTransitionTime", time},
                              {"reason", Value::string("NodeStatusNeverUpdated")},
                              {"message", Value::string("Kubelet never posted node status.")}},
                             arena));
      } else if (known->string_at("status") != "Unknown") {
        known->set(arena, "status", Value::string("Unknown"));
        known->set(arena, "reason", Value::string("NodeStatusUnknown"));
        known->set(arena, "message", Value::string("Kubelet stopped posting node status."));
        known->set(arena, "lastTransitionTime", time);
      }
    }
    status.set(arena, "conditions", conditions);
  });
  if (updated) health.ready = "Unknown";
}

void NodeLifecycle::remove_no_execute(const ReconcileContext& cluster, const std::string& node) {
  (void)swap_taints(cluster, node, {}, {{kUnreachableKey, kNoExecute}, {kNotReadyKey, kNoExecute}});
}

void NodeLifecycle::handle_disruption(const ReconcileContext& cluster) {
  std::map<std::string, NodeZones::Count> counts;
  for (const auto& [name, health] : nodes_) {
    if (health.is_excluded) continue;
    NodeZones::Count& count = counts[health.zone];
    if (health.ready == "True") {
      ++count.ready;
    } else if (!health.ready.empty()) {
      ++count.not_ready;
    }
  }
  switch (zones_.update(counts)) {
    case NodeZones::Disruption::kNone:
      break;
    case NodeZones::Disruption::kBegins:
      for (const auto& [name, health] : nodes_) {
        if (health.has_no_execute) remove_no_execute(cluster, name);
      }
      return;
    case NodeZones::Disruption::kEnds:
      for (auto& [name, health] : nodes_) health.heartbeat = cluster.now;
      break;
  }
  for (const auto& [zone, count] : counts) {
    if (const auto next = zones_.next(zone, cluster.now + kTaintInterval)) {
      taints_.add(zone, *next);
    }
  }
}

void NodeLifecycle::taint_in_zone(const ReconcileContext& cluster, const std::string& zone) {
  const auto due = zones_.next(zone, cluster.now);
  if (!due) return;
  if (*due > cluster.due) {
    taints_.add(zone, *due);
    return;
  }
  const std::string name = zones_.take(zone, cluster.now);
  const Value node = get(cluster, kNodes, {}, name);
  const std::string_view ready = node.is_null() ? std::string_view() : ready_status(node);
  if (ready == "False") {
    (void)swap_taints(cluster, name, {{kNotReadyKey, kNoExecute}}, {{kUnreachableKey, kNoExecute}});
  } else if (ready == "Unknown") {
    (void)swap_taints(cluster, name, {{kUnreachableKey, kNoExecute}}, {{kNotReadyKey, kNoExecute}});
  }
  if (const auto next = zones_.next(zone, cluster.now)) taints_.add(zone, *next);
}

void NodeLifecycle::mark_pods_not_ready(const ReconcileContext& cluster,
                                        const Informers::Pods& pods) {
  for (const PodSummary* pod : pods) {
    if (!pod->ready) continue;
    const registry::ObjectRef ref{&type_of(cluster.registry, kPods), pod->ns, pod->name};
    const auto updated = update_status(cluster, ref, [&](Value& object) {
      for (Value& condition : items_at(object, {"status", "conditions"})) {
        if (condition.string_at("type") != "Ready") continue;
        condition.set(cluster.arena, "status", Value::string("False"));
        condition.set(cluster.arena, "lastTransitionTime", time_value(cluster.now, cluster.arena));
      }
    });
    if (!updated) continue;
    record_event(cluster, ref, {kNodeSource, "Warning", "NodeNotReady", "Node is not ready"});
  }
}

}  // namespace tabernetes::controllers
