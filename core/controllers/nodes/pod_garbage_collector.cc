#include "controllers/nodes/pod_garbage_collector.h"

#include <algorithm>

#include "base/algorithm/sort.h"
#include "controllers/nodes/pod_disruption.h"
#include "controllers/shared/objects.h"
#include "controllers/shared/ticks.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr Duration kCollectionInterval = Duration::from_seconds(20);
// How long a node must be gone.
constexpr Duration kQuarantine = Duration::from_seconds(40);
constexpr std::size_t kMostFinished = 12500;
constexpr std::string_view kOutOfService = "node.kubernetes.io/out-of-service";
constexpr std::string_view kEverything = "pods";

bool is_out_of_service(const Value& node) {
  const json::Range<Value> taints = items_at(node, {"spec", "taints"});
  return !registry::condition_is_true(node, "Ready") &&
         std::any_of(taints.begin(), taints.end(),
                     [](const Value& taint) { return taint.string_at("key") == kOutOfService; });
}

void fail_and_delete(const ReconcileContext& cluster, const PodSummary& pod,
                     std::string_view reason, std::string_view message) {
  const registry::ObjectRef ref{&type_of(cluster.registry, kPods), pod.ns, pod.name};
  if (!pod.terminal()) {
    Result<void> marked;
    if (reason.empty()) {
      const auto updated = update_status(cluster, ref, [&](Value& object) {
        Value& status = object_or_new(object, "status", cluster.arena);
        status.set(cluster.arena, "phase", Value::string("Failed"));
        status.set(cluster.arena, "observedGeneration",
                   Value::integer(number_at(object, {"metadata", "generation"})));
      });
      if (!updated) return;
    } else if (!mark_disrupted(cluster, ref, reason, message, "Failed")) {
      return;
    }
  }
  registry::DeleteOptions options;
  options.grace_period_seconds = 0;
  (void)cluster.registry.remove(cluster.context(), ref, options);
}

}  // namespace

void PodGarbageCollector::forget() {
  missing_nodes_.clear();
  out_of_service_.clear();
  unscheduled_.clear();
  finished_ = 0;
}

void PodGarbageCollector::on_change(const registry::Registry& registry, const WatchEvent& change) {
  const Time tick = next_tick(change.due(), kCollectionInterval);
  if (is(change.type, kNodes)) {
    const auto known = out_of_service_.find(change.name);
    if (known != out_of_service_.end()) out_of_service_.erase(known);
    if (change.now == nullptr) {
      missing_nodes_.emplace(change.name, std::nullopt);
      queue_.add(kEverything, tick);
    } else if (is_out_of_service(change.object_now.get())) {
      out_of_service_.emplace(change.name);
      queue_.add(kEverything, tick);
    }
  } else if (change.pod != nullptr || change.pod_before != nullptr) {
    observe_pod(registry, change);
  }
}

void PodGarbageCollector::observe_pod(const registry::Registry& registry,
                                      const WatchEvent& change) {
  const Time tick = next_tick(change.due(), kCollectionInterval);
  if (change.pod_before != nullptr && change.pod_before->terminal()) --finished_;
  if (change.pod != nullptr && change.pod->terminal()) ++finished_;
  if (finished_ > kMostFinished) queue_.add(kEverything, tick);
  if (change.pod == nullptr) return;
  const PodSummary& pod = *change.pod;
  if (pod.node.empty()) {
    if (!pod.deletion_timestamp) return;
    unscheduled_.insert(queue_key(pod.ns, pod.name));
    queue_.add(kEverything, tick);
  } else if (change.pod_before == nullptr || change.pod_before->node != pod.node ||
             pod.deletion_timestamp) {
    if (!registry.store().get(type_of(registry, kNodes).key({}, pod.node))) {
      missing_nodes_.emplace(pod.node, std::nullopt);
      queue_.add(kEverything, tick);
    } else if (pod.deletion_timestamp && out_of_service_.contains(pod.node)) {
      queue_.add(kEverything, tick);
    }
  }
}

void PodGarbageCollector::reconcile(const ReconcileContext& cluster, const std::string&) {
  if (finished_ > kMostFinished) collect_finished(cluster);
  collect_terminating(cluster);
  collect_of_gone_nodes(cluster);
}

void PodGarbageCollector::collect_finished(const ReconcileContext& cluster) {
  Informers::Pods finished;
  for (const PodSummary* pod : cluster.informers.pods_in({})) {
    if (pod->terminal()) finished.push_back(pod);
  }
  if (finished.size() <= kMostFinished) return;
  sort_stable(finished, [](const PodSummary* a, const PodSummary* b) {
    return a->creation_timestamp.value_or(Time()) < b->creation_timestamp.value_or(Time());
  });
  finished.resize(finished.size() - kMostFinished);
  for (const PodSummary* pod : finished) fail_and_delete(cluster, *pod, {}, {});
}

void PodGarbageCollector::collect_terminating(const ReconcileContext& cluster) {
  for (const std::string& node : out_of_service_) {
    for (const PodSummary* pod : cluster.informers.pods_on(node)) {
      if (pod->deletion_timestamp) fail_and_delete(cluster, *pod, {}, {});
    }
  }
  for (const std::string& key : std::exchange(unscheduled_, {})) {
    const auto [ns, name] = split_queue_key(key);
    const PodPtr pod = cluster.informers.pod(type_of(cluster.registry, kPods).key(ns, name));
    if (pod == nullptr || !pod->deletion_timestamp || !pod->node.empty()) continue;
    fail_and_delete(cluster, *pod, {}, {});
  }
}

void PodGarbageCollector::collect_of_gone_nodes(const ReconcileContext& cluster) {
  for (auto it = missing_nodes_.begin(); it != missing_nodes_.end();) {
    const Informers::Pods pods = cluster.informers.pods_on(it->first);
    if (pods.empty() || !get(cluster, kNodes, {}, it->first).is_null()) {
      it = missing_nodes_.erase(it);
      continue;
    }
    if (!it->second) it->second = cluster.now + kQuarantine;
    if (*it->second <= cluster.due) {
      for (const PodSummary* pod : pods) {
        fail_and_delete(cluster, *pod, "DeletionByPodGC", "PodGC: node no longer exists");
      }
      it = missing_nodes_.erase(it);
      continue;
    }
    queue_.add(kEverything, next_tick(*it->second, kCollectionInterval));
    ++it;
  }
}

}  // namespace tabernetes::controllers
