#include "controllers/scheduler/scores.h"

#include <algorithm>
#include <cmath>

#include "controllers/scheduler/pod_affinity.h"
#include "controllers/scheduler/topology_spread.h"

namespace tabernetes::controllers::scheduling {
namespace {

constexpr std::int64_t kTaintWeight = 3;
constexpr std::int64_t kNodeAffinityWeight = 2;
constexpr std::int64_t kSpreadWeight = 2;
constexpr std::int64_t kPodAffinityWeight = 2;
// Images up to the first size do not matter, more than the second one per container neither.
constexpr std::int64_t kLeastImage = std::int64_t{23} << 20;
constexpr std::int64_t kMostImage = std::int64_t{1000} << 20;

using Scores = std::vector<std::int64_t>;

// Scales the scores so that the greatest is 100. With `reverse`, less is better.
void scale(Scores& scores, bool reverse) {
  const std::int64_t most = *std::max_element(scores.begin(), scores.end());
  for (std::int64_t& score : scores) {
    if (most == 0) {
      score = reverse ? kMaxNodeScore : score;
    } else {
      score = kMaxNodeScore * score / most;
      if (reverse) score = kMaxNodeScore - score;
    }
  }
}

void add(Scores& total, const Scores& scores, std::int64_t weight) {
  for (std::size_t i = 0; i < scores.size(); ++i) total[i] += weight * scores[i];
}

// Fewer taints PreferNoSchedule that the pod does not tolerate are better.
void add_taints(const Cache& cache, const PodInfo& pod, const std::vector<int>& nodes,
                Scores& total) {
  std::vector<Toleration> relevant;
  for (const Toleration& toleration : pod.tolerations) {
    if (toleration.effect.empty() || toleration.effect == "PreferNoSchedule") {
      relevant.push_back(toleration);
    }
  }
  Scores scores;
  for (const int slot : nodes) {
    const std::vector<Taint>& taints = cache.node(slot).facts.taints;
    scores.push_back(std::count_if(taints.begin(), taints.end(), [&](const Taint& taint) {
      return taint.effect == "PreferNoSchedule" && !tolerate(relevant, taint);
    }));
  }
  scale(scores, true);
  add(total, scores, kTaintWeight);
}

void add_node_affinity(const Cache& cache, const PodInfo& pod, const std::vector<int>& nodes,
                       Scores& total) {
  if (pod.nodes.preferred.empty()) return;
  Scores scores;
  for (const int slot : nodes) {
    const NodeFacts& facts = cache.node(slot).facts;
    std::int64_t& score = scores.emplace_back(0);
    for (const PreferredNodes& preferred : pod.nodes.preferred) {
      if (preferred.term.matches(facts.name, facts.labels)) score += preferred.weight;
    }
  }
  scale(scores, false);
  add(total, scores, kNodeAffinityWeight);
}

std::int64_t least_allocated(const NodeInfo& node, const PodInfo& pod) {
  const auto score = [](std::int64_t requested, std::int64_t total) {
    return requested > total ? 0 : (total - requested) * kMaxNodeScore / total;
  };
  std::int64_t sum = 0;
  std::int64_t count = 0;
  if (const std::int64_t cpu = node.facts.allocatable.milli_cpu; cpu != 0) {
    sum += score(node.nonzero_milli_cpu + pod.requests.nonzero_milli_cpu, cpu);
    ++count;
  }
  if (const std::int64_t memory = node.facts.allocatable.memory; memory != 0) {
    sum += score(node.nonzero_memory + pod.requests.nonzero_memory, memory);
    ++count;
  }
  return count == 0 ? 0 : sum / count;
}

// Returns how alike the used shares of CPU and memory are.
std::int64_t balance(const NodeInfo& node, std::int64_t cpu, std::int64_t memory) {
  const ResourceAmounts& all = node.facts.allocatable;
  double deviation = 0;
  if (all.milli_cpu != 0 && all.memory != 0) {
    const auto share = [](std::int64_t part, std::int64_t total) {
      return std::min(static_cast<double>(part) / static_cast<double>(total), 1.0);
    };
    deviation = std::abs((share(cpu, all.milli_cpu) - share(memory, all.memory)) / 2);
  }
  return static_cast<std::int64_t>((1 - deviation) * static_cast<double>(kMaxNodeScore));
}

std::int64_t balanced_allocation(const NodeInfo& node, const PodInfo& pod) {
  const ResourceAmounts& wanted = pod.requests.amounts;
  if (wanted.milli_cpu == 0 && wanted.memory == 0) return 0;
  const ResourceAmounts& used = node.requested;
  const std::int64_t with =
      balance(node, used.milli_cpu + wanted.milli_cpu, used.memory + wanted.memory);
  const std::int64_t without = balance(node, used.milli_cpu, used.memory);
  return kMaxNodeScore / 2 + (kMaxNodeScore / 2 + with - without) / 2;
}

std::int64_t image_locality(Cache& cache, const NodeInfo& node, const PodInfo& pod) {
  if (node.facts.images.empty() || pod.containers == 0) return 0;
  const auto nodes = static_cast<double>(cache.nodes().size());
  std::int64_t sum = 0;
  for (const std::string& image : pod.images) {
    const auto found = node.facts.images.find(image);
    if (found == node.facts.images.end()) continue;
    const double spread = static_cast<double>(cache.nodes_with_image(image)) / nodes;
    sum += static_cast<std::int64_t>(static_cast<double>(found->second) * spread);
  }
  const std::int64_t most = kMostImage * static_cast<std::int64_t>(pod.containers);
  sum = std::clamp(sum, kLeastImage, most);
  return kMaxNodeScore * (sum - kLeastImage) / (most - kLeastImage);
}

}  // namespace

std::vector<std::int64_t> score_nodes(Cache& cache, const PodInfo& pod,
                                      const std::vector<SpreadConstraint>& defaults,
                                      const std::vector<int>& nodes) {
  Scores total(nodes.size());
  add_taints(cache, pod, nodes, total);
  add_node_affinity(cache, pod, nodes, total);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeInfo& node = cache.node(nodes[i]);
    total[i] += least_allocated(node, pod) + balanced_allocation(node, pod) +
                image_locality(cache, node, pod);
  }
  const bool own = !pod.spread.empty();
  add(total, score_spread(cache, pod, own ? pod.spread : defaults, !own, nodes), kSpreadWeight);
  add(total, score_affinity(cache, pod, nodes), kPodAffinityWeight);
  return total;
}

}  // namespace tabernetes::controllers::scheduling
