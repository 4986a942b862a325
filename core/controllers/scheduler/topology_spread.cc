#include "controllers/scheduler/topology_spread.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tabernetes::controllers::scheduling {
namespace {

constexpr std::string_view kLacksLabel =
    "node(s) didn't match pod topology spread constraints (missing required label)";
constexpr std::string_view kSkewed = "node(s) didn't match pod topology spread constraints";
constexpr std::string_view kHostname = "kubernetes.io/hostname";

// A soft constraint while nodes are scored.
struct Soft {
  const SpreadConstraint* constraint = nullptr;
  const Topology* topology = nullptr;
  std::shared_ptr<const PodCounter> counter;
  bool by_host = false;
  std::vector<std::int64_t> pods;  // by value; -1: no node to be scored has it
  double weight = 0;

  std::int64_t count(int slot) const {
    return by_host ? counter->by_slot[index(slot)] : pods[index(topology->value_of[index(slot)])];
  }
};

bool has_labels(const std::vector<Soft>& all, int slot) {
  return std::all_of(all.begin(), all.end(), [&](const Soft& soft) {
    return soft.topology->value_of[index(slot)] != Topology::kNone;
  });
}

// Finds the domains of the nodes to be scored. Returns those nodes that lack a label.
std::vector<bool> find_domains(std::vector<Soft>& all, const std::vector<int>& nodes,
                               bool all_labels) {
  std::vector<bool> ignored(nodes.size());
  std::vector<int> sizes(all.size());
  int ignored_count = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (all_labels && !has_labels(all, nodes[i])) {
      ignored[i] = true;
      ++ignored_count;
      continue;
    }
    for (std::size_t j = 0; j < all.size(); ++j) {
      const int value = all[j].topology->value_of[index(nodes[i])];
      if (all[j].by_host || value == Topology::kNone) continue;
      std::int64_t& pods = all[j].pods[index(value)];
      if (pods < 0) ++sizes[j];
      pods = 0;
    }
  }
  for (std::size_t j = 0; j < all.size(); ++j) {
    const int size = all[j].by_host ? static_cast<int>(nodes.size()) - ignored_count : sizes[j];
    all[j].weight = std::log(static_cast<double>(size + 2));
  }
  return ignored;
}

void count_pods(Cache& cache, const PodInfo& pod, std::vector<Soft>& all, bool all_labels) {
  for (const int slot : cache.nodes()) {
    if (all_labels && !has_labels(all, slot)) continue;
    for (Soft& soft : all) {
      const int value = soft.topology->value_of[index(slot)];
      if (soft.by_host || value == Topology::kNone || soft.pods[index(value)] < 0) continue;
      if (!counts_for(*soft.constraint, pod, cache.node(slot))) continue;
      soft.pods[index(value)] += soft.counter->by_slot[index(slot)];
    }
  }
}

// Turns counts, where less is better, into scores.
void normalise(std::vector<std::int64_t>& scores, const std::vector<bool>& ignored) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (ignored[i]) continue;
    least = std::min(least, scores[i]);
    most = std::max(most, scores[i]);
  }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    scores[i] = ignored[i]  ? 0
                : most == 0 ? kMaxNodeScore
                            : kMaxNodeScore * (most + least - scores[i]) / most;
  }
}

}  // namespace

bool counts_for(const SpreadConstraint& constraint, const PodInfo& pod, const NodeInfo& node) {
  if (constraint.honours_affinity && !pod.nodes.unset() &&
      !pod.nodes.matches(node.facts.name, node.facts.labels)) {
    return false;
  }
  return !constraint.honours_taints || tolerate_hard_taints(pod.tolerations, node.facts.taints);
}

void HardSpread::Domains::find_least() {
  least = std::numeric_limits<int>::max();
  std::int64_t domains = 0;
  for (const int count : matches) {
    if (count == kNoDomain) continue;
    ++domains;
    least = std::min(least, count);
  }
  if (domains < constraint->min_domains) least = 0;
}

HardSpread::HardSpread(Cache& cache, const PodInfo& pod) {
  std::vector<std::shared_ptr<const PodCounter>> counters;
  for (const SpreadConstraint& constraint : pod.spread) {
    if (!constraint.hard) continue;
    Domains domains;
    domains.constraint = &constraint;
    domains.topology = &cache.topology(constraint.topology_key);
    domains.self = constraint.pods.matches(pod.ns, pod.labels, cache.all_namespace_labels());
    domains.matches.assign(index(domains.topology->values), kNoDomain);
    counters.push_back(cache.counter({constraint.pods}, false));
    domains_.push_back(std::move(domains));
  }
  if (domains_.empty()) return;
  for (const int slot : cache.nodes()) {
    if (!has_all_labels(slot)) continue;
    for (std::size_t i = 0; i < domains_.size(); ++i) {
      Domains& domains = domains_[i];
      if (!counts_for(*domains.constraint, pod, cache.node(slot))) continue;
      int& matches = domains.matches[index(domains.topology->value_of[index(slot)])];
      matches = std::max(matches, 0);
      if (!domains.constraint->pods.is_empty()) matches += counters[i]->by_slot[index(slot)];
    }
  }
  for (Domains& domains : domains_) domains.find_least();
}

bool HardSpread::has_all_labels(int slot) const {
  return std::all_of(domains_.begin(), domains_.end(), [&](const Domains& domains) {
    return domains.topology->value_of[index(slot)] != Topology::kNone;
  });
}

Verdict HardSpread::filter(int slot) const {
  for (const Domains& domains : domains_) {
    const int value = domains.topology->value_of[index(slot)];
    if (value == Topology::kNone) {
      return Verdict::refuse(Code::kUnresolvable, Plugin::kPodTopologySpread, kLacksLabel);
    }
    const std::int64_t matches = std::max(domains.matches[index(value)], 0);
    const std::int64_t skew = matches + (domains.self ? 1 : 0) - domains.least;
    if (skew > domains.constraint->max_skew) {
      return Verdict::refuse(Code::kUnschedulable, Plugin::kPodTopologySpread, kSkewed);
    }
  }
  return {};
}

void HardSpread::count(const Cache& cache, const PodInfo& pod, const PodInfo& other, int slot,
                       int change) {
  if (other.ns != pod.ns || domains_.empty() || !has_all_labels(slot)) return;
  for (Domains& domains : domains_) {
    if (!domains.constraint->pods.matches(other.ns, other.labels, cache.all_namespace_labels()) ||
        !counts_for(*domains.constraint, pod, cache.node(slot))) {
      continue;
    }
    int& matches = domains.matches[index(domains.topology->value_of[index(slot)])];
    matches = std::max(matches, 0) + change;
    domains.find_least();
  }
}

std::vector<std::int64_t> score_spread(Cache& cache, const PodInfo& pod,
                                       const std::vector<SpreadConstraint>& constraints,
                                       bool defaults, const std::vector<int>& nodes) {
  std::vector<Soft> all;
  for (const SpreadConstraint& constraint : constraints) {
    if (constraint.hard) continue;
    const bool counts_none = constraint.pods.is_empty();
    Soft soft;
    soft.constraint = &constraint;
    soft.topology = &cache.topology(constraint.topology_key);
    soft.counter = cache.counter({counts_none ? PodSelector() : constraint.pods}, false);
    soft.by_host = constraint.topology_key == kHostname;
    if (!soft.by_host) soft.pods.assign(index(soft.topology->values), -1);
    all.push_back(std::move(soft));
  }
  if (all.empty()) return {};
  const std::vector<bool> ignored = find_domains(all, nodes, !defaults);
  count_pods(cache, pod, all, !defaults);
  std::vector<std::int64_t> scores(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    double score = 0;
    for (const Soft& soft : all) {
      if (ignored[i] || soft.topology->value_of[index(nodes[i])] == Topology::kNone) continue;
      score += static_cast<double>(soft.count(nodes[i])) * soft.weight +
               static_cast<double>(soft.constraint->max_skew - 1);
    }
    scores[i] = static_cast<std::int64_t>(std::round(score));
  }
  normalise(scores, ignored);
  return scores;
}

}  // namespace tabernetes::controllers::scheduling
