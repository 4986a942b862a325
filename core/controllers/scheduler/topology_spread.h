// PodTopologySpread: pods of a kind are spread over the values of a node label. Source: upstream
// 1.36 pkg/scheduler/framework/plugins/podtopologyspread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "controllers/scheduler/cache.h"
#include "controllers/scheduler/verdict.h"

namespace tabernetes::controllers::scheduling {

// Whether a node counts for a constraint of the pod.
bool counts_for(const SpreadConstraint& constraint, const PodInfo& pod, const NodeInfo& node);

// The hard constraints of a pod, with the matching pods of each domain.
class HardSpread {
 public:
  HardSpread() = default;
  HardSpread(Cache& cache, const PodInfo& pod);

  bool empty() const { return domains_.empty(); }
  Verdict filter(int slot) const;
  // Counts a pod that comes to a node (1) or leaves it (-1), on trial.
  void count(const Cache& cache, const PodInfo& pod, const PodInfo& other, int slot, int change);

 private:
  static constexpr int kNoDomain = -1;
  struct Domains {
    const SpreadConstraint* constraint = nullptr;
    const Topology* topology = nullptr;
    bool self = false;         // the pod counts itself
    std::vector<int> matches;  // by value of the topology; kNoDomain: no node counts
    int least = 0;             // of the domains
    void find_least();
  };
  bool has_all_labels(int slot) const;

  std::vector<Domains> domains_;
};

// Returns for each of `nodes` how well it spreads the pod, from 0 to 100; empty if nothing is to be
// spread. `constraints` are the pod's soft ones, or the defaults.
std::vector<std::int64_t> score_spread(Cache& cache, const PodInfo& pod,
                                       const std::vector<SpreadConstraint>& constraints,
                                       bool defaults, const std::vector<int>& nodes);

}  // namespace tabernetes::controllers::scheduling
