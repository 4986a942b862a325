// One attempt to find a node for a pod: what is computed for the pod once, and the filters on each
// node. Source: upstream 1.36 pkg/scheduler/schedule_one.go, framework/runtime/framework.go,
// framework/plugins.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "controllers/scheduler/cache.h"
#include "controllers/scheduler/pod_affinity.h"
#include "controllers/scheduler/pod_devices.h"
#include "controllers/scheduler/pod_volumes.h"
#include "controllers/scheduler/topology_spread.h"
#include "controllers/scheduler/verdict.h"

namespace tabernetes::controllers::scheduling {

// What the filters know of other pods; copied to try what happens when some come or go.
struct FilterState {
  HardSpread spread;
  RequiredAffinity affinity;
  int exclusive_users = 0;  // change of the pods that use the pod's ReadWriteOncePod claims
};

// Pods that are to go to a node once others have left it.
using Nominations = std::map<std::string, std::vector<PodPtr>, std::less<>>;

class Cycle {
 public:
  // REQUIRES: the arguments outlive the cycle, and the cache does not change meanwhile.
  Cycle(const ReconcileContext& cluster, Cache& cache, const Nominations& nominations,
        const PodPtr& pod);

  // Returns why no node can do, if that is clear without looking at one.
  const std::optional<PreFilterRefusal>& refusal() const { return refusal_; }
  // Returns the only nodes that can do; nullopt: any.
  const std::optional<std::vector<std::string>>& only_nodes() const { return only_nodes_; }
  const FilterState& state() const { return state_; }
  PodVolumes& volumes() { return volumes_; }
  PodDevices& devices() { return devices_; }
  const PodInfo& pod() const { return *pod_; }
  Cache& cache() { return cache_; }

  // Runs the filters on the node in `slot`, also with the pods that are nominated for it.
  Verdict filter(int slot);
  // The same for a node from which pods were taken on trial.
  Verdict filter(int slot, const NodeInfo& node, const FilterState& state);

  // Count a pod that comes to a node or leaves it, on trial.
  void add(FilterState& state, NodeInfo& node, int slot, const PodPtr& other);
  void remove(FilterState& state, NodeInfo& node, int slot, const PodInfo& other);

 private:
  void find_only_nodes();
  Verdict run(int slot, const NodeInfo& node, const FilterState& state);
  Verdict check_resources(const NodeInfo& node);
  std::string_view insufficient(std::string_view resource);

  Cache& cache_;
  const Nominations& nominations_;
  PodPtr pod_;
  std::optional<PreFilterRefusal> refusal_;
  std::optional<std::vector<std::string>> only_nodes_;
  PodVolumes volumes_;
  PodDevices devices_;
  FilterState state_;
  std::deque<std::string> texts_;  // of reasons that name a resource
};

}  // namespace tabernetes::controllers::scheduling
