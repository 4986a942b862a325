#include "controllers/apps/daemon_set.h"

#include "controllers/shared/event_recorder.h"
#include "controllers/shared/pod_owners.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

const registry::ResourceType& daemon_sets_type(const registry::Registry& registry) {
  return built_in(registry, "apps", "v1", "daemonsets");
}

}  // namespace

void DaemonSets::forget() {
  selectors_.clear();
  nodes_.clear();
  backoffs_.clear();
}

void DaemonSets::on_change(const registry::Registry& registry, const WatchEvent& change) {
  if (is_resource(change.type, "apps", "daemonsets")) {
    if (change.now != nullptr) queue_.add(change.key, change.due());
  } else if (change.pod != nullptr || change.pod_before != nullptr) {
    queue_pod_owners(registry, change, daemon_sets_type(registry), selectors_, queue_);
  } else if (is_resource(change.type, "", "nodes")) {
    observe_node(change);
  } else if (is_resource(change.type, "apps", "controllerrevisions")) {
    observe_revision(registry, change);
  }
}

void DaemonSets::observe_node(const WatchEvent& change) {
  if (change.now == nullptr) {
    nodes_.erase(std::string(change.name));
    return;
  }
  const DaemonNodePtr node = read_daemon_node(change.object_now.get(), change.object_now.record());
  DaemonNodePtr& known = nodes_[std::string(change.name)];
  if (known == nullptr || !same_for_daemons(*known, *node)) queue_.add(change.key, change.due());
  known = node;
}

void DaemonSets::observe_revision(const registry::Registry& registry, const WatchEvent& change) {
  const Value* owner = controller_of(change.object());
  if (owner == nullptr || owner->string_at("kind") != "DaemonSet") return;
  if (change.before == nullptr) return;
  queue_.add(daemon_sets_type(registry).key(change.ns, owner->string_at("name")), change.due());
}

void DaemonSets::sync_node(const ReconcileContext& cluster, std::string_view name) {
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) return;
  const registry::ResourceType& type = daemon_sets_type(cluster.registry);
  std::map<std::string, int, std::less<>> pods;  // by the key of their DaemonSet
  for (const PodSummary* pod : cluster.informers.pods_on(name)) {
    if (pod->controller_kind == "DaemonSet") ++pods[type.key(pod->ns, pod->controller_name)];
  }
  cluster.registry.store().tree().scan(
      type.key_prefix, store::prefix_end(type.key_prefix),
      [&](std::string_view key, const store::RecordPtr& record) {
        json::Arena arena;
        const Value object = registry::read_object(type, *record, arena);
        Value spec = object.at({"spec", "template", "spec"})->clone(arena);
        add_daemon_tolerations(spec, arena);
        const DaemonFit fits = daemon_fit(spec, *found->second);
        const bool scheduled = pods.contains(key);
        if ((fits.should_run && !scheduled) || (!fits.should_continue && scheduled) ||
            (scheduled && number_at(object, {"status", "numberMisscheduled"}) > 0)) {
          queue_.add(key, cluster.now);
        }
        return true;
      });
}

Result<void> DaemonSets::sync(const ReconcileContext& cluster, const std::string& key) {
  const registry::ResourceType& type = daemon_sets_type(cluster.registry);
  if (!key.starts_with(type.key_prefix)) {
    sync_node(cluster,
              registry::split_key(built_in(cluster.registry, "", "v1", "nodes"), key).name);
    return {};
  }
  const auto [ns, name] = registry::split_key(type, key);
  const Value object = cluster.read({&type, ns, name});
  if (object.is_null()) return {};
  const Owner set{type, object, "daemonset-controller"};
  const auto selector = workload_selector(object);
  if (!selector) return {};
  if (selector->empty()) {
    record_event(cluster, type, object,
                 {set.source, "Warning", "SelectingAll",
                  "This daemon set is selecting all pods. A non-empty selector is required."});
    return {};
  }
  if (set.terminating()) return {};
  TAB_TRY(Revisions revisions, claim_revisions(cluster, set, *selector));
  Informers::Pods pods = cluster.informers.pods_of(set.uid());
  const Informers::Pods orphans = cluster.informers.orphan_pods(ns);
  pods.insert(pods.end(), orphans.begin(), orphans.end());
  TAB_TRY(pods, claim_pods(cluster, set, pods,
                           [&](const PodSummary& pod) { return pod.matches(*selector); }));
  DaemonSetSync sync(cluster, set, nodes_, backoffs_, pods, std::move(revisions));
  Result<void> done = sync.run();
  if (sync.next_check()) queue_.add(key, *sync.next_check());
  return done;
}

}  // namespace tabernetes::controllers
