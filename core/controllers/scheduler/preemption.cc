#include "controllers/scheduler/preemption.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_map>

#include "base/algorithm/sort.h"
#include "controllers/scheduler/pod_record.h"
#include "json/access.h"
#include "registry/selectors/selector_object.h"

namespace tabernetes::controllers::scheduling {
namespace {

using json::Value;

constexpr registry::ObjectReader::Resource kBudgets{"policy", "v1", "poddisruptionbudgets"};
constexpr std::string_view kNoVictims = "No preemption victims found for incoming pod";
constexpr std::string_view kNotHelpful = "Preemption is not helpful for scheduling";
constexpr std::size_t kLeastCandidates = 100;
constexpr std::size_t kCandidatesPercent = 10;

struct Budget {
  std::string ns;
  registry::LabelSelector selector;
  std::int64_t allowed = 0;
  std::vector<std::string> disrupted;
};

struct Candidate {
  int slot = 0;
  std::vector<PodPtr> victims;
  std::int64_t violations = 0;
};

std::vector<Budget> read_budgets(const ReconcileContext& cluster) {
  std::vector<Budget> budgets;
  cluster.registry.each_object(kBudgets, cluster.arena, [&](const Value& object) {
    const Value* selector = object.at({"spec", "selector"});
    if (selector == nullptr) return;
    auto parsed = registry::read_label_selector(*selector);
    if (!parsed || parsed->empty()) return;
    Budget budget{std::string(json::text_at(object, {"metadata", "namespace"})),
                  std::move(*parsed),
                  json::number_at(object, {"status", "disruptionsAllowed"}),
                  {}};
    for (const json::Member& member : json::members_at(object, {"status", "disruptedPods"})) {
      budget.disrupted.emplace_back(member.key);
    }
    budgets.push_back(std::move(budget));
  });
  return budgets;
}

// Pods that are on a node, with the time when they started.
class Starts {
 public:
  explicit Starts(const ReconcileContext& cluster)
      : cluster_(cluster), type_(*cluster.registry.resources().find("", "v1", "pods")) {}

  Time of(const PodInfo& pod) {
    const auto [place, added] = known_.try_emplace(&pod);
    if (added) {
      const store::RecordPtr record = record_of(pod);
      place->second = record == nullptr ? cluster_.now : start_of(*record, cluster_.now);
    }
    return place->second;
  }
  store::RecordPtr record_of(const PodInfo& pod) const {
    return cluster_.registry.store().get(type_.key(pod.ns, pod.name));
  }
  void sort_by_importance(std::vector<PodPtr>& pods) {
    sort_stable(pods, [this](const PodPtr& one, const PodPtr& other) {
      if (one->priority != other->priority) return one->priority > other->priority;
      return of(*one) < of(*other);
    });
  }
  // Returns the start of the pod that started first among those of the highest priority.
  // REQUIRES: there are pods, the most important one first.
  Time earliest(const std::vector<PodPtr>& pods) { return of(*pods[0]); }

 private:
  const ReconcileContext& cluster_;
  const registry::ResourceType& type_;
  std::unordered_map<const PodInfo*, Time> known_;
};

// Moves the pods whose removal would violate a budget to the result. `budgets` is a copy, since
// each pod uses up its budgets.
std::vector<PodPtr> take_violating(std::vector<PodPtr>& pods, std::vector<Budget> budgets) {
  std::vector<PodPtr> violating;
  std::vector<PodPtr> others;
  for (const PodPtr& pod : pods) {
    bool violates = false;
    for (Budget& budget : budgets) {
      if (pod->labels.empty() || budget.ns != pod->ns || !pod->labels.match(budget.selector) ||
          std::find(budget.disrupted.begin(), budget.disrupted.end(), pod->name) !=
              budget.disrupted.end()) {
        continue;
      }
      if (--budget.allowed < 0) violates = true;
    }
    (violates ? violating : others).push_back(pod);
  }
  pods = std::move(others);
  return violating;
}

// Tries the preemption on one node: takes away all pods of lower priority, then gives back as many
// as possible, the important ones first.
class Trial {
 public:
  Trial(Cycle& cycle, int slot)
      : cycle_(cycle), slot_(slot), node_(cycle.cache().node(slot)), state_(cycle.state()) {}

  Verdict run(const std::vector<Budget>& budgets, Starts& starts, Candidate& candidate) {
    std::vector<PodPtr> lower;
    for (const PodPtr& pod : cycle_.cache().node(slot_).pods) {
      if (pod->priority < cycle_.pod().priority) lower.push_back(pod);
    }
    if (lower.empty()) {
      return Verdict::refuse(Code::kUnresolvable, Plugin::kNodeName, kNoVictims);
    }
    for (const PodPtr& pod : lower) cycle_.remove(state_, node_, slot_, *pod);
    if (Verdict verdict = cycle_.filter(slot_, node_, state_); !verdict.fits()) return verdict;
    starts.sort_by_importance(lower);
    const std::vector<PodPtr> violating = take_violating(lower, budgets);
    for (const PodPtr& pod : violating) {
      if (!give_back(pod, candidate)) ++candidate.violations;
    }
    for (const PodPtr& pod : lower) give_back(pod, candidate);
    starts.sort_by_importance(candidate.victims);
    candidate.slot = slot_;
    return {};
  }

 private:
  bool give_back(const PodPtr& pod, Candidate& candidate) {
    cycle_.add(state_, node_, slot_, pod);
    if (cycle_.filter(slot_, node_, state_).fits()) return true;
    cycle_.remove(state_, node_, slot_, *pod);
    candidate.victims.push_back(pod);
    return false;
  }

  Cycle& cycle_;
  int slot_;
  NodeInfo node_;
  FilterState state_;
};

std::int64_t sum_priorities(const std::vector<PodPtr>& pods) {
  std::int64_t sum = 0;
  for (const PodPtr& pod : pods) {
    sum += pod->priority + std::numeric_limits<std::int32_t>::max() + std::int64_t{1};
  }
  return sum;
}

// Returns the candidate that hurts least: criterion by criterion, those with the best value stay.
const Candidate& best_of(const std::vector<Candidate>& candidates, Starts& starts) {
  const std::function<std::int64_t(const Candidate&)> criteria[] = {
      [](const Candidate& one) { return one.violations; },
      [](const Candidate& one) { return one.victims[0]->priority; },
      [](const Candidate& one) { return sum_priorities(one.victims); },
      [](const Candidate& one) { return static_cast<std::int64_t>(one.victims.size()); },
      [&](const Candidate& one) { return -starts.earliest(one.victims).unix_nanoseconds; },
  };
  std::vector<const Candidate*> left;
  for (const Candidate& candidate : candidates) left.push_back(&candidate);
  for (const auto& criterion : criteria) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const Candidate* one : left) least = std::min(least, criterion(*one));
    std::erase_if(left, [&](const Candidate* one) { return criterion(*one) != least; });
    if (left.size() == 1) break;
  }
  return *left[0];
}

// Returns true if the pod has preempted others that are still about to go.
bool waits_for_victims(Cycle& cycle, const Starts& starts,
                       const std::vector<NodeVerdict>& refusals) {
  const PodInfo& pod = cycle.pod();
  const int slot = cycle.cache().find_node(pod.nominated_node);
  if (pod.nominated_node.empty() || slot < 0) return false;
  const auto refusal = std::find_if(refusals.begin(), refusals.end(),
                                    [&](const NodeVerdict& one) { return one.slot == slot; });
  if (refusal == refusals.end() || refusal->verdict.code == Code::kUnresolvable) return false;
  const std::vector<PodPtr>& pods = cycle.cache().node(slot).pods;
  return std::any_of(pods.begin(), pods.end(), [&](const PodPtr& other) {
    if (other->priority >= pod.priority || !other->terminating) return false;
    const store::RecordPtr record = starts.record_of(*other);
    return record != nullptr && is_preempted(*record);
  });
}

}  // namespace

Preemption find_preemption(const ReconcileContext& cluster, Cycle& cycle, Entropy& entropy,
                           const std::vector<NodeVerdict>& refusals) {
  Preemption result;
  if (cycle.pod().never_preempts) {
    result.message = "not eligible due to preemptionPolicy=Never.";
    result.keeps_nomination = true;
    return result;
  }
  Starts starts(cluster);
  if (waits_for_victims(cycle, starts, refusals)) {
    result.message = "not eligible due to a terminating pod on the nominated node.";
    result.keeps_nomination = true;
    return result;
  }
  std::vector<int> nodes;
  for (const NodeVerdict& refusal : refusals) {
    if (refusal.verdict.code == Code::kUnschedulable) nodes.push_back(refusal.slot);
  }
  const std::size_t all = cycle.cache().nodes().size();
  Histogram reasons;
  std::vector<Candidate> candidates;
  std::size_t tried = 0;
  if (!nodes.empty()) {
    const std::vector<Budget> budgets = read_budgets(cluster);
    const std::size_t enough =
        std::min(nodes.size(), std::max(kLeastCandidates, nodes.size() * kCandidatesPercent / 100));
    // Like upstream, begins anywhere only if not all nodes may be tried.
    const std::size_t first = nodes.size() > enough ? entropy.below(nodes.size()) : 0;
    bool any_harmless = false;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const int slot = nodes[(first + i) % nodes.size()];
      Candidate candidate;
      const Verdict verdict = Trial(cycle, slot).run(budgets, starts, candidate);
      if (!verdict.fits() || candidate.victims.empty()) {
        reasons.add(verdict);
        ++tried;
        continue;
      }
      any_harmless = any_harmless || candidate.violations == 0;
      candidates.push_back(std::move(candidate));
      if (any_harmless && candidates.size() >= enough) break;
    }
  }
  if (candidates.empty()) {
    reasons.add(kNotHelpful, all - tried);
    result.message = none_available(all, reasons);
    return result;
  }
  const Candidate& best = best_of(candidates, starts);
  result.node = cycle.cache().node(best.slot).facts.name;
  result.victims = best.victims;
  return result;
}

}  // namespace tabernetes::controllers::scheduling
