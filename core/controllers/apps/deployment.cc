#include "controllers/apps/deployment.h"

#include "controllers/apps/deployment_sync.h"
#include "controllers/shared/event_recorder.h"
#include "controllers/shared/pod_control.h"
#include "controllers/shared/pod_owners.h"
#include "json/access.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

// How often a Deployment is tried again.
constexpr int kMostRetries = 15;

const registry::ResourceType& deployments_type(const registry::Registry& registry) {
  return built_in(registry, "apps", "v1", "deployments");
}

bool same_owner(const Value* a, const Value* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->string_at("uid") == b->string_at("uid");
}

}  // namespace

void Deployments::on_change(const registry::Registry& registry, const WatchEvent& change) {
  if (is_resource(change.type, "apps", "deployments")) {
    observe_deployment(change);
  } else if (is_resource(change.type, "apps", "replicasets")) {
    observe_replica_set(registry, change);
  } else if (change.pod_before != nullptr && change.pod == nullptr && !recreating_.empty()) {
    observe_pod(registry, change);
  }
}

void Deployments::observe_deployment(const WatchEvent& change) {
  if (change.now == nullptr) {
    recreating_.erase(std::string(change.key));
    return;
  }
  if (text_at(change.object(), {"spec", "strategy", "type"}) == "Recreate") {
    recreating_.emplace(change.key);
  } else {
    recreating_.erase(std::string(change.key));
  }
  queue_.add(change.key, change.due());
}

void Deployments::observe_replica_set(const registry::Registry& registry,
                                      const WatchEvent& change) {
  const registry::ResourceType& deployments = deployments_type(registry);
  const auto queue_owner = [&](const Value* owner) {
    if (owner == nullptr || owner->string_at("kind") != "Deployment") return;
    queue_.add(deployments.key(change.ns, owner->string_at("name")), change.due());
  };
  const Value* before =
      change.before == nullptr ? nullptr : controller_of(change.object_before.get());
  const Value* now = change.now == nullptr ? nullptr : controller_of(change.object_now.get());
  if (before != nullptr && !same_owner(before, now)) queue_owner(before);
  queue_owner(now);
  if (now != nullptr || change.now == nullptr || registry::offsets_of(*change.now).terminating) {
    return;
  }
  if (change.before != nullptr && before == nullptr &&
      registry::labels_of(*change.before) == registry::labels_of(*change.now)) {
    return;
  }
  queue_selecting(registry, deployments, change.ns, *change.now, selectors_, queue_, change.due());
}

// A Deployment that recreates its pods waits until all are gone.
void Deployments::observe_pod(const registry::Registry& registry, const WatchEvent& change) {
  const PodSummary& pod = *change.pod_before;
  if (pod.controller_kind != "ReplicaSet") return;
  const registry::ResourceType& sets = built_in(registry, "apps", "v1", "replicasets");
  const store::RecordPtr set = registry.store().get(sets.key(pod.ns, pod.controller_name));
  if (!set) return;
  json::Arena arena;
  const Value object = registry::read_object(sets, *set, arena);
  const Value* owner = controller_of(object);
  if (owner == nullptr || owner->string_at("kind") != "Deployment") return;
  const std::string key = deployments_type(registry).key(pod.ns, owner->string_at("name"));
  if (recreating_.contains(key)) queue_.add(key, change.due());
}

Result<void> Deployments::sync(const ReconcileContext& cluster, const std::string& key) {
  const registry::ResourceType& type = deployments_type(cluster.registry);
  const auto [ns, name] = registry::split_key(type, key);
  const Value object = cluster.read({&type, ns, name});
  if (object.is_null()) return {};
  const Owner owner{type, object, "deployment-controller"};
  const auto selector = workload_selector(object);
  if (!selector) return {};
  if (selector->empty()) {
    record_event(cluster, type, object,
                 {owner.source, "Warning", "SelectingAll",
                  "This deployment is selecting all pods. A non-empty selector is required."});
    const std::int64_t generation = number_at(object, {"metadata", "generation"});
    if (number_at(object, {"status", "observedGeneration"}) >= generation) return {};
    Value updated = object.clone(cluster.arena);
    set_count(*updated.find("status"), "observedGeneration", generation, cluster.arena);
    return update_status(cluster, type, updated);
  }
  TAB_TRY(const std::vector<store::RecordPtr> sets,
          claim_objects(cluster, owner, built_in(cluster.registry, "apps", "v1", "replicasets"),
                        *selector));
  DeploymentSync sync(cluster, object, sets);
  Result<void> done = sync.run();
  if (sync.next_check()) queue_.add(key, *sync.next_check());
  if (done || is_namespace_terminating(done.error())) return {};
  // Given up, until something changes.
  if (queue_.failures(key) >= kMostRetries) return {};
  return done;
}

}  // namespace tabernetes::controllers
