// DefaultPreemption: which pods of lower priority could go, on which node, so that a pod fits.
// Source: upstream 1.36 pkg/scheduler/framework/{preemption,plugins/defaultpreemption}.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/numbers/entropy.h"
#include "controllers/scheduler/cycle.h"

namespace tabernetes::controllers::scheduling {

// Why a node in a slot refused the pod.
struct NodeVerdict {
  int slot = 0;
  Verdict verdict;
};

struct Preemption {
  std::string node;               // where to preempt; empty: nowhere
  std::vector<PodPtr> victims;    // the most important one first
  std::string message;            // why there is none
  bool keeps_nomination = false;  // the pod is still to wait for its nominated node
};

// REQUIRES: no node fits; `refusals` has the verdicts of all nodes that the filters looked at.
Preemption find_preemption(const ReconcileContext& cluster, Cycle& cycle, Entropy& entropy,
                           const std::vector<NodeVerdict>& refusals);

}  // namespace tabernetes::controllers::scheduling
