#include "controllers/scheduler/scheduler.h"

#include <algorithm>
#include <utility>

#include "controllers/scheduler/pod_record.h"
#include "controllers/scheduler/scores.h"
#include "json/access.h"
#include "json/equality.h"

namespace tabernetes::controllers {
namespace {

using scheduling::ClusterEvent;
using scheduling::Code;
using scheduling::Cycle;
using scheduling::EventKind;
using scheduling::NodeFacts;
using scheduling::NodeVerdict;
using scheduling::PodInfo;
using scheduling::Verdict;

constexpr std::string_view kError = "SchedulerError";
constexpr std::string_view kNoNodes = "no nodes available to schedule pods";
constexpr std::string_view kOtherNodes = "node(s) didn't satisfy plugin(s) [NodeAffinity]";
constexpr Duration kVolumePoll = Duration::from_seconds(1);
constexpr Duration kVolumeTimeout = Duration::from_seconds(600);
constexpr std::size_t kLeastFeasible = 100;
constexpr std::size_t kLeastPercentage = 5;

// Returns how many feasible nodes are enough to score: all of few, a share of many.
std::size_t enough_of(std::size_t nodes) {
  if (nodes < kLeastFeasible) return nodes;
  const std::size_t less = std::min<std::size_t>(nodes / 125, 50);
  const std::size_t percentage = std::max(50 - less, kLeastPercentage);
  return std::max(nodes * percentage / 100, kLeastFeasible);
}

}  // namespace

std::unique_ptr<ControlLoop> Scheduler::clone() const {
  owned_ = false;
  return std::unique_ptr<ControlLoop>(new Scheduler(*this));
}

scheduling::Cache& Scheduler::cache() {
  if (!std::exchange(owned_, true)) cache_ = std::make_shared<scheduling::Cache>(*cache_);
  return *cache_;
}

void Scheduler::resync() {
  cache_ = std::make_shared<scheduling::Cache>();
  owned_ = true;
  queue_.clear();
  nominations_.clear();
  nominated_.clear();
  default_spread_ = {};
  events_.clear();
  bindings_.clear();
}

void Scheduler::on_change(const registry::Registry& registry, const WatchEvent& change) {
  const std::string_view group = change.type.resource->group;
  const std::string_view plural = change.type.resource->plural;
  if (group == "storage.k8s.io") {
    if (change.now != nullptr) announce({.kind = EventKind::kStorage}, change);
    return;
  }
  if (group == "resource.k8s.io") return observe_devices(registry, change);
  if (!group.empty()) return;
  if (plural == "pods") return observe_pod(registry, change);
  if (plural == "nodes") return observe_node(change);
  if (plural == "persistentvolumeclaims" && change.now != nullptr) {
    announce({.kind = EventKind::kClaim, .ns = change.ns, .name = change.name}, change);
  } else if (plural == "persistentvolumes" && change.now != nullptr) {
    announce({.kind = EventKind::kVolume}, change);
  } else if (plural == "namespaces" || plural == "services") {
    const json::Value* object = change.now == nullptr ? nullptr : &change.object_now.get();
    if (plural == "services") {
      default_spread_.set_service(change.ns, change.name, object);
    } else if (object == nullptr) {
      cache().remove_namespace(change.name);
    } else {
      cache().set_namespace(change.name, scheduling::LabelSet(object->at({"metadata", "labels"})));
    }
  }
}

void Scheduler::announce(const ClusterEvent& event, const WatchEvent& change) {
  if (!queue_.has_unschedulable()) return;
  queue_.move(change.time, change.due(), [&](const QueuedPod& queued) {
    return scheduling::is_worth_another_try(*cache_, *queued.pod, queued.refused_by, event);
  });
}

void Scheduler::observe_node(const WatchEvent& change) {
  if (change.now == nullptr) {
    const auto before = cache().remove_node(change.name);
    if (before != nullptr) {
      announce({.kind = EventKind::kNodeGone, .node_before = before.get()}, change);
    }
    return;
  }
  NodeFacts facts = scheduling::read_node(change.object_now.get());
  const int slot = cache_->find_node(facts.name);
  if (slot >= 0 && cache_->node(slot).facts == facts) return;
  const auto before = cache().set_node(std::move(facts));
  const NodeFacts& now = cache_->node(cache_->find_node(change.name)).facts;
  announce({.kind = EventKind::kNode, .node_before = before.get(), .node = &now}, change);
}

void Scheduler::observe_devices(const registry::Registry& registry, const WatchEvent& change) {
  const std::string_view plural = change.type.resource->plural;
  const bool of_claim = plural == "resourceclaims";
  if (change.now == nullptr || !queue_.has_unschedulable() ||
      (!of_claim && plural != "resourceslices" && plural != "deviceclasses")) {
    return;
  }
  ClusterEvent event{.kind = EventKind::kDevices};
  if (of_claim) {
    const bool had =
        change.before != nullptr && json::has(change.object_before.get(), {"status", "allocation"});
    const bool has = json::has(change.object_now.get(), {"status", "allocation"});
    if (!had || has) {
      if (change.before != nullptr &&
          json::same_member(change.object_before.get(), change.object_now.get(), "status")) {
        return;
      }
      event = {.kind = EventKind::kDeviceClaim, .ns = change.ns, .name = change.name};
    }
  }
  queue_.move(change.time, change.due(), [&](const QueuedPod& queued) {
    return scheduling::is_worth_another_try(*cache_, *queued.pod, queued.refused_by, event) &&
           scheduling::missing_claims(registry, *queued.pod).empty();
  });
}

void Scheduler::observe_pod(const registry::Registry& registry, const WatchEvent& change) {
  const std::string key = std::string(change.ns) + "/" + std::string(change.name);
  if (change.now == nullptr) return observe_gone(key, change);
  const PodPtr known = cache_->find_pod(key);
  if (known != nullptr && change.now->revision == bound_at_) {
    // What the scheduler has written itself.
    return announce({.kind = EventKind::kPod, .pod = known.get()}, change);
  }
  if (known != nullptr && change.before != nullptr && !bindings_.contains(key) &&
      scheduling::are_alike(*change.before, *change.now)) {
    return;
  }
  const PodPtr pod = scheduling::read_pod(change.object_now.get());
  if (pod->over) {
    observe_gone(key, change);
  } else if (!pod->node.empty()) {
    observe_scheduled(pod, change);
  } else if (pod->scheduler == scheduling::kSchedulerName) {
    observe_unscheduled(registry, pod, change);
  }
}

void Scheduler::observe_gone(const std::string& key, const WatchEvent& change) {
  PodPtr gone = cache_->find_pod(key);
  if (gone != nullptr) {
    cache().remove_pod(key);
  } else if (nominated_.contains(key)) {
    if (const QueuedPod* queued = queue_.find(key)) gone = queued->pod;
  }
  queue_.remove(key);
  drop_nomination(key);
  bindings_.erase(key);
  events_.forget(key);
  if (gone != nullptr) announce({.kind = EventKind::kPodGone, .pod_before = gone.get()}, change);
}

void Scheduler::observe_scheduled(const PodPtr& pod, const WatchEvent& change) {
  const std::string key = pod->key();
  PodPtr before = cache_->find_pod(key);
  if (bindings_.erase(key) > 0) before = nullptr;
  queue_.remove(key);
  drop_nomination(key);
  cache().set_pod(pod);
  announce({.kind = EventKind::kPod, .pod_before = before.get(), .pod = pod.get()}, change);
}

void Scheduler::observe_unscheduled(const registry::Registry& registry, const PodPtr& pod,
                                    const WatchEvent& change) {
  const std::string key = pod->key();
  if (bindings_.contains(key)) {
    if (pod->terminating) observe_gone(key, change);
    return;
  }
  const QueuedPod* queued = queue_.find(key);
  if (queued == nullptr || queued->pod->uid != pod->uid) {
    queue_.add(pod, change.time, change.due(), !scheduling::missing_claims(registry, *pod).empty());
  } else {
    const PodPtr before = queued->pod;
    const scheduling::Plugins refused_by = queued->refused_by;
    queue_.update(pod);
    const ClusterEvent event{.kind = EventKind::kOwn, .pod_before = before.get(), .pod = pod.get()};
    if (scheduling::is_worth_another_try(*cache_, *pod, refused_by, event) &&
        scheduling::missing_claims(registry, *pod).empty()) {
      queue_.move_one(key, change.time, change.due());
    }
  }
  nominate(pod);
}

void Scheduler::nominate(const PodPtr& pod) {
  const std::string key = pod->key();
  drop_nomination(key);
  if (pod->nominated_node.empty()) return;
  nominations_[pod->nominated_node].push_back(pod);
  nominated_[key] = pod->nominated_node;
}

void Scheduler::drop_nomination(const std::string& key) {
  const auto found = nominated_.find(key);
  if (found == nominated_.end()) return;
  const auto pods = nominations_.find(found->second);
  std::erase_if(pods->second, [&](const PodPtr& pod) { return pod->key() == key; });
  if (pods->second.empty()) nominations_.erase(pods);
  nominated_.erase(found);
}

std::optional<Time> Scheduler::next() const { return with_bindings(queue_.next()); }

std::optional<Time> Scheduler::next_once() const { return with_bindings(queue_.next_once()); }

std::optional<Time> Scheduler::with_bindings(std::optional<Time> first) const {
  for (const auto& [key, binding] : bindings_) {
    if (!first || binding.check < *first) first = binding.check;
  }
  return first;
}

void Scheduler::reconcile_due(const ReconcileContext& cluster) {
  for (const auto& [key, binding] : bindings_) {
    if (binding.check <= cluster.due) return check_binding(cluster, std::string(key));
  }
  if (std::optional<QueuedPod> queued = queue_.pop(cluster.now, cluster.due)) {
    attempt(cluster, std::move(*queued));
  }
}

void Scheduler::attempt(const ReconcileContext& cluster, QueuedPod queued) {
  const PodInfo& pod = *queued.pod;
  if (pod.terminating) {
    events_.record(
        cluster, pod,
        {"Warning", "FailedScheduling", "Scheduling", "skip schedule deleting pod: " + pod.key()});
    return;
  }
  const Found found = find_node(cluster, queued);
  if (found.node.empty()) {
    fail(cluster, std::move(queued), found);
  } else if (found.waits) {
    Binding binding{std::move(queued), found.node, cluster.now + kVolumePoll,
                    cluster.now + kVolumeTimeout};
    auto assumed = std::make_shared<PodInfo>(*binding.queued.pod);
    assumed->node = found.node;
    const std::string key = assumed->key();
    drop_nomination(key);
    cache().set_pod(assumed);
    bindings_.insert_or_assign(key, std::move(binding));
  } else {
    bind(cluster, std::move(queued), found.node);
  }
}

Scheduler::Found Scheduler::failed(std::string message) {
  Found found;
  found.reason = kError;
  found.retries = true;
  found.nominated = "";
  found.failure = std::move(message);
  return found;
}

Scheduler::Found Scheduler::prebind_error(const std::string& message) {
  return failed("running PreBind plugin \"VolumeBinding\": " + message);
}

// A refusal by the last plugin, so all have prepared for a preemption, which cannot help.
Scheduler::Found Scheduler::explain_devices(const ReconcileContext& cluster, Cycle& cycle) {
  const Verdict verdict =
      Verdict::refuse(Code::kUnresolvable, cycle.refusal()->plugin, cycle.refusal()->reason);
  std::vector<NodeVerdict> refusals;
  for (const int slot : cycle.cache().nodes()) refusals.push_back({slot, verdict});
  const registry::WriteContext context = cluster.context();
  const scheduling::Preemption preemption = scheduling::find_preemption(
      cluster, cycle, cluster.registry.hook_context(context).entropy, refusals);
  Found found;
  found.failure = scheduling::none_available(cycle.cache().nodes().size(), {}) + " " +
                  cycle.refusal()->reason + ". " + std::string(cycle.devices().deallocate()) +
                  ", preemption: " + preemption.message;
  if (!preemption.keeps_nomination) found.nominated = preemption.node;
  return found;
}

Scheduler::Found Scheduler::find_node(const ReconcileContext& cluster, QueuedPod& queued) {
  scheduling::Cache& nodes = cache();
  queued.refused_by = {};
  Found found;
  if (nodes.nodes().empty()) {
    found.failure = kNoNodes;
    // Upstream goes on forever; after a series has begun, that shows nothing.
    found.retries = queued.errors < 2;
    found.nominated = "";
    return found;
  }
  Cycle cycle(cluster, nodes, nominations_, queued.pod);
  if (cycle.refusal()) {
    queued.refused_by.add(cycle.refusal()->plugin);
    if (cycle.refusal()->plugin == scheduling::Plugin::kDynamicResources) {
      return explain_devices(cluster, cycle);
    }
    // Upstream's preemption fails, since another plugin has not prepared for it.
    found.failure = scheduling::none_available(nodes.nodes().size(), {}) + " " +
                    cycle.refusal()->reason + ". not found";
    return found;
  }
  std::vector<NodeVerdict> refusals;
  const std::vector<int> feasible = find_feasible(cycle, refusals);
  if (!cycle.devices().error().empty()) return failed(cycle.devices().error());
  if (feasible.empty()) return explain(cluster, cycle, queued, refusals);
  const int slot = choose(cluster, *queued.pod, feasible);
  found.node = nodes.node(slot).facts.name;
  const bool waits = !cycle.volumes().all_bound();
  if (waits || !cycle.devices().empty()) {
    scheduling::write_failure(cluster, *queued.pod, {}, nullptr, found.node);
  }
  if (const Result<void> bound = cycle.devices().bind(found.node); !bound) {
    return failed("running PreBind plugin \"DynamicResources\": " + bound.error().message);
  }
  if (waits) {
    found.waits = true;
    const Result<void> bound = cycle.volumes().bind(nodes.node(slot));
    if (!bound) return prebind_error(bound.error().message);
  }
  return found;
}

std::vector<int> Scheduler::find_feasible(Cycle& cycle, std::vector<NodeVerdict>& refusals) {
  scheduling::Cache& nodes = cycle.cache();
  if (!cycle.pod().nominated_node.empty()) {
    const int slot = nodes.find_node(cycle.pod().nominated_node);
    if (slot >= 0 && cycle.filter(slot).fits()) return {slot};
  }
  std::vector<int> some;
  if (cycle.only_nodes()) {
    for (const std::string& name : *cycle.only_nodes()) {
      if (const int slot = nodes.find_node(name); slot >= 0) some.push_back(slot);
    }
  }
  const std::vector<int>& candidates = cycle.only_nodes() ? some : nodes.nodes();
  const std::size_t enough = enough_of(candidates.size());
  std::vector<int> feasible;
  for (std::size_t i = 0; i < candidates.size() && feasible.size() < enough; ++i) {
    const int slot = candidates[(next_start_ + i) % candidates.size()];
    Verdict verdict = cycle.filter(slot);
    if (verdict.fits()) {
      feasible.push_back(slot);
    } else {
      refusals.push_back({slot, std::move(verdict)});
    }
  }
  next_start_ = (next_start_ + feasible.size() + refusals.size()) % nodes.nodes().size();
  return feasible;
}

int Scheduler::choose(const ReconcileContext& cluster, const PodInfo& pod,
                      const std::vector<int>& nodes) {
  if (nodes.size() == 1) return nodes[0];
  const std::vector<std::int64_t> scores =
      scheduling::score_nodes(cache(), pod, default_spread_.of(cluster, pod), nodes);
  const std::int64_t best = *std::max_element(scores.begin(), scores.end());
  std::vector<int> equal;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (scores[i] == best) equal.push_back(nodes[i]);
  }
  if (equal.size() == 1) return equal[0];
  return equal[cluster.registry.hook_context(cluster.context()).entropy.below(equal.size())];
}

Scheduler::Found Scheduler::explain(const ReconcileContext& cluster, Cycle& cycle,
                                    QueuedPod& queued, const std::vector<NodeVerdict>& refusals) {
  scheduling::Histogram reasons;
  for (const NodeVerdict& refusal : refusals) {
    reasons.add(refusal.verdict);
    queued.refused_by.add(refusal.verdict.plugin);
  }
  const std::size_t all = cycle.cache().nodes().size();
  if (cycle.only_nodes()) {
    reasons.add(kOtherNodes, all - refusals.size());
    queued.refused_by.add(scheduling::Plugin::kNodeAffinity);
  }
  Found found;
  found.failure = scheduling::none_available(all, reasons);
  const std::string_view deallocated = cycle.devices().deallocate();
  const registry::WriteContext context = cluster.context();
  const scheduling::Preemption preemption = scheduling::find_preemption(
      cluster, cycle, cluster.registry.hook_context(context).entropy, refusals);
  if (preemption.node.empty()) {
    found.failure.append(" ").append(deallocated).append(", preemption: ");
    found.failure += preemption.message;
  }
  if (!preemption.keeps_nomination) found.nominated = preemption.node;
  found.victims = preemption.victims;
  return found;
}

void Scheduler::fail(const ReconcileContext& cluster, QueuedPod queued, const Found& found) {
  const PodPtr pod = queued.pod;
  queue_.add_unschedulable(std::move(queued), cluster.now, found.retries);
  events_.record_failure(cluster, *pod, found.failure);
  scheduling::write_failure(cluster, *pod, found.reason, &found.failure, found.nominated);
  if (found.victims.empty()) return;
  const auto others = nominations_.find(*found.nominated);
  if (others != nominations_.end()) {
    for (const PodPtr& other : others->second) {
      if (other->priority >= pod->priority || other->uid == pod->uid) continue;
      scheduling::write_failure(cluster, *other, {}, nullptr, std::string());
    }
  }
  for (const PodPtr& victim : found.victims) {
    if (victim->terminating) continue;
    scheduling::preempt(cluster, *victim, *pod);
    events_.record(cluster, *victim,
                   {"Normal", "Preempted", "Preempting",
                    "Preempted by pod " + pod->uid + " on node " + *found.nominated});
  }
}

void Scheduler::bind(const ReconcileContext& cluster, QueuedPod queued, const std::string& node) {
  const PodInfo& pod = *queued.pod;
  const std::string key = pod.key();
  Result<scheduling::Bound> bound = scheduling::bind_to_node(cluster, pod, node);
  if (!bound) {
    Found found;
    found.reason = kError;
    found.retries = true;
    found.failure = "running Bind plugin \"DefaultBinder\": " + bound.error().message;
    return fail(cluster, std::move(queued), found);
  }
  cache().set_pod(bound->pod);
  bound_at_ = bound->revision;
  drop_nomination(key);
  events_.forget(key);
  events_.record(
      cluster, pod,
      {"Normal", "Scheduled", "Binding", "Successfully assigned " + key + " to " + node});
}

void Scheduler::check_binding(const ReconcileContext& cluster, const std::string& key) {
  Binding& binding = bindings_.at(key);
  const std::optional<bool> bound =
      scheduling::PodVolumes::are_bound(cluster, *binding.queued.pod, binding.node);
  if (bound == false && cluster.now < binding.deadline) {
    binding.check = cluster.now + kVolumePoll;
    return;
  }
  Binding done = std::move(binding);
  bindings_.erase(key);
  if (bound == true) return bind(cluster, std::move(done.queued), done.node);
  cache().remove_pod(key);
  fail(cluster, std::move(done.queued),
       prebind_error(std::string("binding volumes: ") +
                     (bound ? "context deadline exceeded" : "provisioning failed for PVC")));
}

}  // namespace tabernetes::controllers
