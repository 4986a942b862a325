// InterPodAffinity: pods with or apart from other pods. Source: upstream 1.36
// pkg/scheduler/framework/plugins/interpodaffinity.
#pragma once

#include <cstdint>
#include <vector>

#include "controllers/scheduler/cache.h"
#include "controllers/scheduler/verdict.h"

namespace tabernetes::controllers::scheduling {

// The required terms of a pod and those of others against it.
class RequiredAffinity {
 public:
  RequiredAffinity() = default;
  RequiredAffinity(Cache& cache, const PodInfo& pod);

  bool empty() const { return with_.empty() && apart_.empty() && others_.empty(); }
  Verdict filter(int slot) const;
  // Counts a pod that comes to a node (1) or leaves it (-1), on trial.
  void count(Cache& cache, const PodInfo& pod, const PodInfo& other, int slot, int change);

 private:
  struct Counts {
    std::string key;
    const Topology* topology = nullptr;
    std::vector<int> pods;  // by value of the topology

    int at(int slot) const;
    void add(int slot, int change);
    bool any() const;
  };
  static Counts make(Cache& cache, const std::string& key);
  Counts& others_of(Cache& cache, const std::string& key);

  std::vector<Counts> with_, apart_;  // of the pod's terms
  std::vector<Counts> others_;        // of others' anti-affinity to the pod, by topology key
  bool matches_itself_ = false;       // the pod meets its own affinity
};

// Returns for each of `nodes` how much the pod is drawn there, from 0 to 100; empty if not at all.
std::vector<std::int64_t> score_affinity(Cache& cache, const PodInfo& pod,
                                         const std::vector<int>& nodes);

}  // namespace tabernetes::controllers::scheduling
