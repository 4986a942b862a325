#include "controllers/nodes/taint_eviction.h"

#include <algorithm>

#include "controllers/nodes/node_taints.h"
#include "controllers/nodes/pod_disruption.h"
#include "controllers/shared/event_recorder.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/equality.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

// The event refers to a pod by name only.
void tell_eviction(const ReconcileContext& cluster, const std::string& pod,
                   const std::string& message) {
  const auto [ns, name] = split_queue_key(pod);
  const Value object = object_of(
      {{"metadata", object_of({{"name", Value::string(name)}, {"namespace", Value::string(ns)}},
                              cluster.arena)}},
      cluster.arena);
  record_event(cluster, type_of(cluster.registry, kPods), object,
               {"taint-eviction-controller", "Normal", "TaintManagerEviction", message});
}

}  // namespace

void TaintEviction::resync() {
  nodes_.clear();
  pods_.clear();
  due_.clear();
  marked_.clear();
  evictions_.clear();
  tainted_.clear();
}

std::optional<Time> TaintEviction::next() const {
  std::optional<Time> first;
  for (const WorkQueue* queue : {&nodes_, &pods_, &due_, &marked_}) {
    const std::optional<Time> next = queue->next();
    if (next && (!first || *next < *first)) first = next;
  }
  return first;
}

void TaintEviction::on_change(const registry::Registry&, const WatchEvent& change) {
  if (is(change.type, kNodes)) {
    const auto taints = [](const LazyObject& node) {
      return node.record() == nullptr ? std::vector<Value>() : no_execute_taints(node.get());
    };
    const std::vector<Value> before = taints(change.object_before);
    const std::vector<Value> now = taints(change.object_now);
    if (!std::equal(before.begin(), before.end(), now.begin(), now.end(),
                    [](const Value& a, const Value& b) { return json::deep_equal(a, b); })) {
      nodes_.add(change.name, change.due());
    }
    if (now.empty()) {
      const auto known = tainted_.find(change.name);
      if (known != tainted_.end()) tainted_.erase(known);
    } else {
      tainted_.emplace(change.name);
    }
    return;
  }
  if (change.pod == nullptr && change.pod_before == nullptr) return;
  const std::string& node = change.pod != nullptr ? change.pod->node : change.pod_before->node;
  const std::string pod = queue_key(change.ns, change.name);
  const bool planned = evictions_.contains(pod);
  if (!planned && (node.empty() || !tainted_.contains(node))) return;
  if (change.pod != nullptr && change.pod_before != nullptr &&
      change.pod_before->node == change.pod->node &&
      json::deep_equal(change.object_before.get().at({"spec", "tolerations"}),
                       change.object_now.get().at({"spec", "tolerations"}))) {
    return;
  }
  pods_.add(pod, change.due());
}

void TaintEviction::reconcile_due(const ReconcileContext& cluster) {
  if (const auto node = nodes_.take(cluster.due)) {
    look_at_node(cluster, *node);
  } else if (const auto pod = pods_.take(cluster.due)) {
    look_at_pod(cluster, *pod);
  } else if (const auto due = due_.take(cluster.due)) {
    const auto planned = evictions_.find(*due);
    if (planned == evictions_.end()) return;
    if (planned->second.due > cluster.due) {
      due_.add(*due, planned->second.due);
    } else {
      evict(cluster, *due);
    }
  } else if (const auto marked = marked_.take(cluster.due)) {
    remove(cluster, *marked);
  }
}

void TaintEviction::look_at_node(const ReconcileContext& cluster, const std::string& name) {
  const Value node = get(cluster, kNodes, {}, name);
  if (node.is_null()) return;
  const std::vector<Value> taints = no_execute_taints(node);
  for (const PodSummary* pod : cluster.informers.pods_on(name)) {
    if (taints.empty()) {
      cancel(cluster, queue_key(pod->ns, pod->name));
    } else {
      plan(cluster, *pod, taints);
    }
  }
}

void TaintEviction::look_at_pod(const ReconcileContext& cluster, const std::string& key) {
  const auto [ns, name] = split_queue_key(key);
  const PodPtr pod = cluster.informers.pod(type_of(cluster.registry, kPods).key(ns, name));
  if (pod == nullptr) {
    cancel(cluster, key);
    return;
  }
  const Value node = get(cluster, kNodes, {}, pod->node);
  if (node.is_null()) return;
  const std::vector<Value> taints = no_execute_taints(node);
  if (!taints.empty()) plan(cluster, *pod, taints);
}

void TaintEviction::plan(const ReconcileContext& cluster, const PodSummary& pod,
                         const std::vector<Value>& taints) {
  const std::string key = queue_key(pod.ns, pod.name);
  const Value object =
      registry::read_object(type_of(cluster.registry, kPods), *pod.record, cluster.arena);
  const Toleration toleration = toleration_of(object, taints);
  if (!toleration.tolerates_all) {
    cancel(cluster, key);
    evict(cluster, key);
    return;
  }
  if (!toleration.for_time) {
    cancel(cluster, key);
    return;
  }
  Time since = cluster.now;
  const auto known = evictions_.find(key);
  if (known != evictions_.end()) {
    since = known->second.since;
    if (since + *toleration.for_time < cluster.now + *toleration.for_time) return;
    cancel(cluster, key);
  }
  const Eviction eviction{since, since + *toleration.for_time};
  if (eviction.due <= cluster.now) {
    evict(cluster, key);
    return;
  }
  evictions_[key] = eviction;
  due_.add(key, eviction.due);
}

void TaintEviction::cancel(const ReconcileContext& cluster, const std::string& pod) {
  if (evictions_.erase(pod) == 0) return;
  tell_eviction(cluster, pod, "Cancelling deletion of Pod " + pod);
}

void TaintEviction::evict(const ReconcileContext& cluster, const std::string& pod) {
  evictions_.erase(pod);
  const auto [ns, name] = split_queue_key(pod);
  if (get(cluster, kPods, ns, name).is_null()) return;
  tell_eviction(cluster, pod, "Marking for deletion Pod " + pod);
  const registry::ObjectRef ref{&type_of(cluster.registry, kPods), ns, name};
  (void)mark_disrupted(cluster, ref, "DeletionByTaintManager",
                       "Taint manager: deleting due to NoExecute taint");
  marked_.add(pod, cluster.now + kReactionDelay);
}

void TaintEviction::remove(const ReconcileContext& cluster, const std::string& pod) {
  const auto [ns, name] = split_queue_key(pod);
  (void)delete_object(cluster, {&type_of(cluster.registry, kPods), ns, name});
}

}  // namespace tabernetes::controllers
