// Changes in the cluster that may make an unschedulable pod schedulable, and whether one does.
// Source: upstream 1.36 pkg/scheduler/framework/events.go, the QueueingHintFn of each plugin.
#pragma once

#include <string_view>

#include "controllers/scheduler/cache.h"
#include "controllers/scheduler/verdict.h"

namespace tabernetes::controllers::scheduling {

enum class EventKind {
  kNode,  // added or updated
  kNodeGone,
  kPod,          // a pod that is on a node was added or updated
  kPodGone,      // a pod that is on a node, or nominated for one, was deleted
  kOwn,          // the pod itself was updated
  kClaim,        // a PersistentVolumeClaim was added or updated
  kVolume,       // a PersistentVolume was added or updated
  kDevices,      // device classes and slices, a claim that was deallocated
  kDeviceClaim,  // a ResourceClaim was added, or its status changed
  kStorage,      // storage classes, CSI drivers, their capacities, CSI nodes
};

struct ClusterEvent {
  EventKind kind;
  const NodeFacts* node_before = nullptr;  // null: it was added
  const NodeFacts* node = nullptr;
  const PodInfo* pod_before = nullptr;
  const PodInfo* pod = nullptr;
  std::string_view ns = {}, name = {};  // of a claim
};

// Returns true if the event may help the pod, which these plugins refused. An empty set stands for
// a failure that no plugin is responsible for.
bool is_worth_another_try(const Cache& cache, const PodInfo& pod, Plugins refused_by,
                          const ClusterEvent& event);

}  // namespace tabernetes::controllers::scheduling
