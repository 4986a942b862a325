#include "controllers/kubelet/kubelets.h"

#include <algorithm>

#include "base/time/rfc3339.h"
#include "codec/json_writer.h"
#include "controllers/kubelet/behaviour_reader.h"
#include "controllers/kubelet/node_status.h"
#include "controllers/kubelet/pod_life.h"
#include "controllers/kubelet/pod_status.h"
#include "controllers/shared/event_recorder.h"
#include "json/access.h"
#include "registry/ownership/managed_fields.h"
#include "registry/ownership/object_versions.h"

namespace tabernetes::controllers::kubelet {
namespace {

using json::Value;

// The field manager of a kubelet's writes, and the source of its events.
constexpr std::string_view kKubelet = "kubelet";

std::optional<Time> earlier(std::optional<Time> a, std::optional<Time> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

// The address of a node that reports none.
std::string derived_host_ip(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return "192.168." + std::to_string(64 + hash % 128) + "." + std::to_string(1 + (hash >> 8) % 254);
}

std::string host_ip_of(const Value& node) {
  for (const Value& address : items_at(node, {"status", "addresses"})) {
    if (address.string_at("type") == "InternalIP") return std::string(address.string_at("address"));
  }
  return derived_host_ip(text_at(node, {"metadata", "name"}));
}

void read_images(const Value& object, Node& node) {
  for (const Value& image : items_at(object, {"status", "images"})) {
    const auto names = items_at(image, {"names"});
    if (names.empty()) continue;
    node.images.emplace(names[names.size() - 1].as_string(), number_at(image, {"sizeBytes"}));
  }
}

registry::WriteContext writing(const ReconcileContext& cluster, std::string_view subresource = {}) {
  registry::WriteContext context = cluster.context(subresource);
  context.manager = kKubelet;
  return context;
}

// Nodes beat at different times within a period.
Duration first_beat(std::string_view name) {
  std::uint32_t hash = 0;
  for (const char c : name) hash = hash * 31 + static_cast<unsigned char>(c);
  return Duration::from_milliseconds(1 + hash % 10'000);
}

}  // namespace

void Kubelets::resync() {
  nodes_.clear();
  pods_.clear();
  beats_.clear();
  lacking_.clear();
  stages_.clear();
  stage_warnings_.clear();
  rules_ = given_;
  own_after_ = own_until_ = 0;
}

std::optional<Time> Kubelets::next() const { return earlier(pods_.next(), beats_.next()); }

std::optional<Time> Kubelets::next_once() const {
  return earlier(pods_.next_once(), beats_.next_once());
}

// --- Changes

void Kubelets::on_change(const registry::Registry& registry, const WatchEvent& change) {
  if (change.now != nullptr && change.now->revision > own_after_ &&
      change.now->revision <= own_until_) {
    return;
  }
  if (is_resource(change.type, "", "pods")) {
    observe_pod(change);
  } else if (is_resource(change.type, "", "nodes")) {
    observe_node(change);
  } else if (is_resource(change.type, "kwok.x-k8s.io", "stages")) {
    observe_stage(registry, change);
  } else if (!lacking_.empty() && (is_resource(change.type, "", "configmaps") ||
                                   is_resource(change.type, "", "secrets"))) {
    observe_needed_object(change);
  }
}

void Kubelets::observe_node(const WatchEvent& change) {
  const auto known = nodes_.find(change.name);
  if (change.now == nullptr || !is_simulated(change.object())) {
    if (known != nodes_.end()) nodes_.erase(known);
    return;
  }
  const Value& object = change.object();
  const std::string_view subnet = text_at(object, {"spec", "podCIDR"});
  if (known != nodes_.end() && known->second.uid == text_at(object, {"metadata", "uid"})) {
    Node& node = known->second;
    if (node.subnet != subnet) {
      node.subnet = subnet;
      node.addresses = PodAddresses(subnet, change.name);
    }
    return;
  }
  Node node;
  node.uid = text_at(object, {"metadata", "uid"});
  node.host_ip = host_ip_of(object);
  node.subnet = subnet;
  node.addresses = PodAddresses(subnet, change.name);
  read_images(object, node);
  node.state = rules_->state_of_node(object);
  nodes_.insert_or_assign(std::string(change.name), std::move(node));
  beats_.add(change.name, change.due());
}

void Kubelets::set_state(const std::string& name, Node& node, NodeState state, Time due) {
  if (node.state == state) return;
  node.state = state;
  node.changed = true;
  beats_.add(name, due);
}

void Kubelets::beat_at(Time due) {
  for (const auto& [name, node] : nodes_) {
    if (node.state != NodeState::kGone) beats_.add(name, due, Recurrence::kPeriodic);
  }
}

void Kubelets::set_rules(std::shared_ptr<const BehaviourRules> rules,
                         const registry::Registry& registry, const Informers& informers, Time now) {
  given_ = std::move(rules);
  use_rules(registry, informers, now + kReactionDelay);
}

void Kubelets::observe_stage(const registry::Registry& registry, const WatchEvent& change) {
  if (change.now == nullptr) {
    stages_.erase(std::string(change.name));
  } else {
    stages_.insert_or_assign(std::string(change.name), codec::json_text(change.object()));
  }
  use_rules(registry, change.informers, change.due());
}

void Kubelets::use_rules(const registry::Registry& registry, const Informers& informers, Time due) {
  stage_warnings_.clear();
  rules_ = given_;
  if (!stages_.empty()) {
    BehaviourRead read = with_stages(*given_, stages_);
    rules_ = std::move(read.rules);
    stage_warnings_ = std::move(read.warnings);
  }
  json::Arena arena;
  for (auto& [name, node] : nodes_) {
    const Value object = registry.find_object({"", "v1", "nodes"}, {}, name, arena);
    if (!object.is_null()) set_state(name, node, rules_->state_of_node(object), due);
    queue_pods_of(name, informers, due);
  }
}

void Kubelets::queue_pods_of(std::string_view node, const Informers& informers, Time due) {
  for (const PodSummary* pod : informers.pods_on(node)) pods_.add(pod->record->key, due);
}

void Kubelets::observe_pod(const WatchEvent& change) {
  const PodSummary& pod = change.pod != nullptr ? *change.pod : *change.pod_before;
  const auto node = nodes_.find(pod.node);
  if (node == nodes_.end()) return;
  if (change.pod == nullptr) {
    node->second.addresses.release(pod.ip);
    lacking_.erase(std::string(change.key));
    return;
  }
  node->second.addresses.take(pod.ip);
  pods_.add(change.key, change.due());
}

void Kubelets::observe_needed_object(const WatchEvent& change) {
  if (change.now == nullptr) return;
  for (const std::string& key : lacking_) pods_.add(key, change.due());
}

// --- Nodes

void Kubelets::reconcile_due(const ReconcileContext& cluster) {
  const store::Store& store = cluster.registry.store();
  own_after_ = store.revision();
  const auto beat_due = beats_.next(), pod_due = pods_.next();
  if (beat_due && (!pod_due || *beat_due <= *pod_due)) {
    if (const auto name = beats_.take(cluster.due)) beat(cluster, *name);
  } else if (const auto key = pods_.take(cluster.due)) {
    sync_pod(cluster, *key);
  }
  own_until_ = store.revision();
}

void Kubelets::beat(const ReconcileContext& cluster, const std::string& name) {
  const auto known = nodes_.find(name);
  if (known == nodes_.end()) return;
  Node& node = known->second;
  if (node.state == NodeState::kGone) return;
  if (!node.registered) {
    register_node(cluster, name, node);
    beats_.add(name, cluster.now + first_beat(name), Recurrence::kPeriodic);
    queue_pods_of(name, cluster.informers, cluster.now + kReactionDelay);
    return;
  }
  renew_lease(cluster, name, node);
  if (node.changed || node.next_report <= cluster.due) report_status(cluster, name, node);
  beats_.add(name, cluster.now + kLeaseRenewal, Recurrence::kPeriodic);
}

void Kubelets::register_node(const ReconcileContext& cluster, const std::string& name, Node& node) {
  node.registered = true;
  const registry::ObjectRef ref{cluster.registry.resources().find("", "v1", "nodes"), {}, name};
  bool ready = false;
  (void)cluster.registry.update(writing(cluster), ref, registry::Subresource::kNone,
                                [&](const Value* stored) -> Result<Value> {
                                  if (stored == nullptr)
                                    return errors::plain_error("the node is gone");
                                  ready = items_at(*stored, {"status", "conditions"}).size() >= 4;
                                  Value object = stored->clone(cluster.arena);
                                  if (!complete_metadata(object, cluster.arena))
                                    return errors::plain_error("complete");
                                  return object;
                                });
  node.next_report = cluster.now + kStatusReport;
  if (!ready) report_status(cluster, name, node);
  renew_lease(cluster, name, node);
}

void Kubelets::report_status(const ReconcileContext& cluster, const std::string& name, Node& node) {
  const registry::ObjectRef ref{cluster.registry.resources().find("", "v1", "nodes"), {}, name};
  node.changed = false;
  node.next_report = cluster.now + kStatusReport;
  (void)cluster.registry.update(
      writing(cluster, "status"), ref, registry::Subresource::kStatus,
      [&](const Value* stored) -> Result<Value> {
        if (stored == nullptr) return errors::plain_error("the node is gone");
        Value object = stored->shallow_copy(cluster.arena);
        object.set(cluster.arena, "status", node_status(*stored, node, cluster.now, cluster.arena));
        return object;
      });
}

void Kubelets::renew_lease(const ReconcileContext& cluster, const std::string& name,
                           const Node& node) {
  const registry::ObjectRef ref{
      cluster.registry.resources().find("coordination.k8s.io", "v1", "leases"), kLeaseNamespace,
      name};
  if (!cluster.registry.get(ref)) {
    (void)cluster.registry.create(writing(cluster), *ref.type, ref.ns,
                                  node_lease(name, node.uid, cluster.now, cluster.arena));
    return;
  }
  (void)cluster.registry.update(
      writing(cluster), ref, registry::Subresource::kNone,
      [&](const Value* stored) -> Result<Value> {
        json::Arena& arena = cluster.arena;
        Value lease = stored->shallow_copy(arena);
        const Value* before = stored->find("spec");
        Value spec = before == nullptr ? Value::object(arena) : before->shallow_copy(arena);
        spec.set(arena, "renewTime", Value::string(arena.copy(format_rfc3339_micro(cluster.now))));
        lease.set(arena, "spec", spec);
        return lease;
      });
}

// --- Pods

void Kubelets::sync_pod(const ReconcileContext& cluster, const std::string& key) {
  const registry::ResourceType& type = *cluster.registry.resources().find("", "v1", "pods");
  const auto [ns, name] = registry::split_key(type, key);
  const registry::ObjectRef ref{&type, ns, name};
  const registry::WriteContext context = writing(cluster, "status");
  Value pod;
  PodProgress progress;
  std::string node_name;
  lacking_.erase(key);
  // The status follows from a valid pod: it needs no validation, and only its fields change.
  const auto updated =
      cluster.registry.rewrite(context, ref, [&](const Value* stored) -> Result<Value> {
        node_name = text_at(*stored, {"spec", "nodeName"});
        const auto node = nodes_.find(node_name);
        if (node == nodes_.end() || node->second.state == NodeState::kGone) {
          return errors::plain_error("no kubelet looks after the pod");
        }
        pod = *stored;
        progress = progress_of(*stored, {.objects = cluster.registry,
                                         .rules = *rules_,
                                         .node_name = node_name,
                                         .node = node->second,
                                         .entropy = cluster.registry.hook_context(context).entropy,
                                         .arena = cluster.arena,
                                         .now = cluster.now,
                                         .due = cluster.due});
        if (!progress.changed) return errors::plain_error("nothing has changed");
        Value object = stored->shallow_copy(cluster.arena);
        object.set(cluster.arena, "status", progress.status);
        // Without the cache: kubelets write to many pods in turn, each a few times only.
        registry::track_managed_fields(
            context, registry::ObjectVersions(type, cluster.registry.resources(), nullptr),
            registry::writer_of(context, type), object, stored, nullptr);
        return object;
      });
  if (pod.is_null()) return;
  for (const PodEvent& event : progress.events) {
    record_event(cluster, type, pod,
                 {.source = kKubelet,
                  .type = event.type,
                  .reason = event.reason,
                  .message = event.message,
                  .host = node_name,
                  .field_path = event.field_path,
                  .manager = kKubelet});
  }
  if (progress.lacks_objects) lacking_.insert(key);
  if (progress.changed && !updated) {
    pods_.add(key, cluster.now + Duration::from_seconds(10), Recurrence::kPeriodic);
  } else if (progress.finished) {
    const registry::DeleteOptions options{
        .grace_period_seconds = 0,
        .preconditions = {.uid = std::string(text_at(pod, {"metadata", "uid"}))}};
    (void)cluster.registry.remove(writing(cluster), ref, options);
  } else if (progress.next) {
    pods_.add(key, progress.next->time, progress.next->recurrence);
  }
}

}  // namespace tabernetes::controllers::kubelet
