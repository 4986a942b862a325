#include "controllers/apps/stateful_set.h"

#include "controllers/apps/stateful_set_sync.h"
#include "controllers/shared/pod_owners.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

const registry::ResourceType& stateful_sets_type(const registry::Registry& registry) {
  return built_in(registry, "apps", "v1", "statefulsets");
}

}  // namespace

void StatefulSets::on_change(const registry::Registry& registry, const WatchEvent& change) {
  if (is_resource(change.type, "apps", "statefulsets")) {
    if (change.now != nullptr) queue_.add(change.key, change.due());
  } else if (change.pod != nullptr || change.pod_before != nullptr) {
    queue_pod_owners(registry, change, stateful_sets_type(registry), selectors_, queue_);
  }
}

Result<void> StatefulSets::sync(const ReconcileContext& cluster, const std::string& key) {
  const registry::ResourceType& type = stateful_sets_type(cluster.registry);
  const auto [ns, name] = registry::split_key(type, key);
  const Value object = cluster.read({&type, ns, name});
  if (object.is_null()) return {};
  const Owner set{type, object, "statefulset-controller"};
  const auto selector = workload_selector(object);
  if (!selector) return {};
  TAB_TRY(Revisions revisions, claim_revisions(cluster, set, *selector));
  Informers::Pods pods = cluster.informers.pods_of(set.uid());
  const Informers::Pods orphans = cluster.informers.orphan_pods(ns);
  pods.insert(pods.end(), orphans.begin(), orphans.end());
  TAB_TRY(pods, claim_pods(cluster, set, pods, [&](const PodSummary& pod) {
            return pod.matches(*selector) && parse_stateful_name(pod.name).parent == set.name();
          }));
  StatefulSetSync sync(cluster, set, std::move(pods), std::move(revisions));
  TAB_CHECK(sync.run());
  if (const auto next = sync.next_check()) queue_.add(key, *next);
  return {};
}

}  // namespace tabernetes::controllers
