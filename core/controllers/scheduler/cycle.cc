#include "controllers/scheduler/cycle.h"

#include <algorithm>

#include "base/algorithm/sort.h"

namespace tabernetes::controllers::scheduling {
namespace {

constexpr std::string_view kUnschedulable = "node(s) were unschedulable";
constexpr std::string_view kTainted = "node(s) had untolerated taint(s)";
constexpr std::string_view kWrongName = "node(s) didn't match the requested node name";
constexpr std::string_view kWrongNode = "node(s) didn't match Pod's node affinity/selector";
constexpr std::string_view kPortsTaken =
    "node(s) didn't have free ports for the requested pod ports";
constexpr std::string_view kTooManyPods = "Too many pods";

}  // namespace

Cycle::Cycle(const ReconcileContext& cluster, Cache& cache, const Nominations& nominations,
             const PodPtr& pod)
    : cache_(cache),
      nominations_(nominations),
      pod_(pod),
      volumes_(cluster, cache, *pod),
      devices_(cluster, *pod),
      state_{{cache, *pod}, {cache, *pod}} {
  find_only_nodes();
  if (!refusal_) refusal_ = volumes_.refusal();
  if (!refusal_) refusal_ = devices_.refusal();
}

// The terms of the node affinity may each name nodes; together they allow those alone.
void Cycle::find_only_nodes() {
  if (!pod_->nodes.required || pod_->nodes.required->terms().empty()) return;
  std::vector<std::string> names;
  for (const NodeSelectorTerm& term : pod_->nodes.required->terms()) {
    if (!term.names()) return;
    names.insert(names.end(), term.names()->begin(), term.names()->end());
  }
  sort_stable(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.empty()) {
    refusal_ = {Plugin::kNodeAffinity, "pod affinity terms conflict"};
  } else {
    only_nodes_ = std::move(names);
  }
}

std::string_view Cycle::insufficient(std::string_view resource) {
  std::string text = "Insufficient " + std::string(resource);
  const auto known = std::find(texts_.begin(), texts_.end(), text);
  return known != texts_.end() ? *known : texts_.emplace_back(std::move(text));
}

Verdict Cycle::check_resources(const NodeInfo& node) {
  Verdict verdict;
  const auto refuse = [&](std::string_view reason, bool resolvable) {
    verdict.plugin = Plugin::kNodeResourcesFit;
    verdict.reasons.push_back(reason);
    if (!resolvable) {
      verdict.code = Code::kUnresolvable;
    } else if (verdict.code == Code::kFits) {
      verdict.code = Code::kUnschedulable;
    }
  };
  if (static_cast<std::int64_t>(node.pods.size()) + 1 > node.facts.allowed_pods) {
    refuse(kTooManyPods, true);
  }
  const ResourceAmounts& wanted = pod_->requests.amounts;
  const ResourceAmounts& all = node.facts.allocatable;
  const ResourceAmounts& used = node.requested;
  const auto check = [&](std::int64_t amount, std::int64_t total, std::int64_t taken,
                         std::string_view resource) {
    if (amount > 0 && amount > total - taken) refuse(insufficient(resource), amount <= total);
  };
  check(wanted.milli_cpu, all.milli_cpu, used.milli_cpu, "cpu");
  check(wanted.memory, all.memory, used.memory, "memory");
  check(wanted.ephemeral_storage, all.ephemeral_storage, used.ephemeral_storage,
        "ephemeral-storage");
  for (const auto& [name, amount] : wanted.scalars) {
    check(amount, all.scalar(name), used.scalar(name), name);
  }
  return verdict;
}

Verdict Cycle::run(int slot, const NodeInfo& node, const FilterState& state) {
  const auto unresolvable = [](Plugin plugin, std::string_view reason) {
    return Verdict::refuse(Code::kUnresolvable, plugin, reason);
  };
  if (node.facts.unschedulable && !tolerate(pod_->tolerations, unschedulable_taint())) {
    return unresolvable(Plugin::kNodeUnschedulable, kUnschedulable);
  }
  if (!pod_->node.empty() && pod_->node != node.facts.name) {
    return unresolvable(Plugin::kNodeName, kWrongName);
  }
  if (!tolerate_hard_taints(pod_->tolerations, node.facts.taints)) {
    return unresolvable(Plugin::kTaintToleration, kTainted);
  }
  if (!pod_->nodes.unset() && !pod_->nodes.matches(node.facts.name, node.facts.labels)) {
    return unresolvable(Plugin::kNodeAffinity, kWrongNode);
  }
  if (!pod_->ports.empty() && node.conflicts(pod_->ports)) {
    return Verdict::refuse(Code::kUnschedulable, Plugin::kNodePorts, kPortsTaken);
  }
  if (Verdict verdict = check_resources(node); !verdict.fits()) return verdict;
  if (Verdict verdict = volumes_.filter(node, state.exclusive_users); !verdict.fits()) {
    return verdict;
  }
  if (Verdict verdict = state.spread.filter(slot); !verdict.fits()) return verdict;
  if (Verdict verdict = state.affinity.filter(slot); !verdict.fits()) return verdict;
  return devices_.filter(node);
}

Verdict Cycle::filter(int slot) { return filter(slot, cache_.node(slot), state_); }

Verdict Cycle::filter(int slot, const NodeInfo& node, const FilterState& state) {
  const auto found = nominations_.find(node.facts.name);
  if (found != nominations_.end()) {
    NodeInfo with = node;
    FilterState changed = state;
    bool any = false;
    for (const PodPtr& other : found->second) {
      if (other->priority < pod_->priority || other->uid == pod_->uid) continue;
      add(changed, with, slot, other);
      any = true;
    }
    if (any) {
      if (Verdict verdict = run(slot, with, changed); !verdict.fits()) return verdict;
    }
  }
  return run(slot, node, state);
}

void Cycle::add(FilterState& state, NodeInfo& node, int slot, const PodPtr& other) {
  node.add(other);
  state.spread.count(cache_, *pod_, *other, slot, 1);
  state.affinity.count(cache_, *pod_, *other, slot, 1);
  state.exclusive_users += volumes_.exclusive_users_of(*other);
}

void Cycle::remove(FilterState& state, NodeInfo& node, int slot, const PodInfo& other) {
  node.remove(other);
  state.spread.count(cache_, *pod_, other, slot, -1);
  state.affinity.count(cache_, *pod_, other, slot, -1);
  state.exclusive_users -= volumes_.exclusive_users_of(other);
}

}  // namespace tabernetes::controllers::scheduling
