#include "controllers/scheduler/cluster_event.h"

#include <algorithm>

namespace tabernetes::controllers::scheduling {
namespace {

bool fits(const ResourceAmounts& wanted, const NodeFacts& node) {
  const ResourceAmounts& all = node.allocatable;
  return node.allowed_pods > 0 && wanted.milli_cpu <= all.milli_cpu &&
         wanted.memory <= all.memory && wanted.ephemeral_storage <= all.ephemeral_storage &&
         std::all_of(wanted.scalars.begin(), wanted.scalars.end(), [&](const auto& resource) {
           return resource.second <= all.scalar(resource.first);
         });
}

// Returns true if something that is wanted has become more.
bool grew(const ResourceAmounts& wanted, const ResourceAmounts& before,
          const ResourceAmounts& now) {
  return (wanted.milli_cpu > 0 && now.milli_cpu > before.milli_cpu) ||
         (wanted.memory > 0 && now.memory > before.memory) ||
         (wanted.ephemeral_storage > 0 && now.ephemeral_storage > before.ephemeral_storage) ||
         std::any_of(wanted.scalars.begin(), wanted.scalars.end(), [&](const auto& resource) {
           return now.scalar(resource.first) > before.scalar(resource.first);
         });
}

bool label_changed(const NodeFacts& before, const NodeFacts& now, const std::string& key) {
  return before.labels.find(key) != now.labels.find(key);
}

bool node_helps_spread(const PodInfo& pod, const NodeFacts* before, const NodeFacts* now) {
  const auto has_labels = [&](const NodeFacts& node) {
    return std::all_of(pod.spread.begin(), pod.spread.end(), [&](const SpreadConstraint& one) {
      return !one.hard || node.labels.find(one.topology_key).has_value();
    });
  };
  if (before != nullptr && now != nullptr) {
    if (has_labels(*before) != has_labels(*now)) return true;
    const bool changed =
        std::any_of(pod.spread.begin(), pod.spread.end(), [&](const SpreadConstraint& one) {
          return one.hard && label_changed(*before, *now, one.topology_key);
        });
    return has_labels(*now) && (changed || before->taints != now->taints);
  }
  return has_labels(now != nullptr ? *now : *before);
}

bool node_helps_affinity(const PodInfo& pod, const NodeFacts* before, const NodeFacts& now) {
  for (const AffinityTerm& term : pod.affinity.required) {
    const auto value = now.labels.find(term.topology_key);
    if (value && (before == nullptr || before->labels.find(term.topology_key) != value)) {
      return true;
    }
  }
  for (const AffinityTerm& term : pod.affinity.required_anti) {
    if (before == nullptr) return true;
    if (before->labels.find(term.topology_key) && label_changed(*before, now, term.topology_key)) {
      return true;
    }
  }
  return false;
}

// Returns true for plugins that upstream asks about new nodes, but not about changed taints. Their
// pods are tried again whenever a taint changes, or a node is no longer cordoned.
bool follows_taints(Plugin plugin) {
  switch (plugin) {
    case Plugin::kNodeName:
    case Plugin::kNodeAffinity:
    case Plugin::kNodePorts:
    case Plugin::kNodeResourcesFit:
    case Plugin::kVolumeRestrictions:
    case Plugin::kVolumeBinding:
    case Plugin::kVolumeZone:
    case Plugin::kInterPodAffinity:
      return true;
    default:
      return false;
  }
}

bool taints_changed(const NodeFacts& before, const NodeFacts& now) {
  return before.taints != now.taints || (before.unschedulable && !now.unschedulable);
}

bool new_node_helps(const PodInfo& pod, Plugin plugin, const NodeFacts& node) {
  switch (plugin) {
    case Plugin::kNodeUnschedulable:
      return !node.unschedulable;
    case Plugin::kTaintToleration:
      return tolerate_hard_taints(pod.tolerations, node.taints);
    case Plugin::kNodeAffinity:
      return pod.nodes.matches(node.name, node.labels);
    case Plugin::kNodeResourcesFit:
      return fits(pod.requests.amounts, node);
    case Plugin::kPodTopologySpread:
      return node_helps_spread(pod, nullptr, &node);
    case Plugin::kInterPodAffinity:
      return node_helps_affinity(pod, nullptr, node);
    default:
      return follows_taints(plugin);
  }
}

bool changed_node_helps(const PodInfo& pod, Plugin plugin, const NodeFacts& before,
                        const NodeFacts& now) {
  if (follows_taints(plugin) && taints_changed(before, now)) return true;
  const bool labels = before.labels != now.labels;
  switch (plugin) {
    case Plugin::kNodeUnschedulable:
      return before.unschedulable && !now.unschedulable;
    case Plugin::kTaintToleration:
      return tolerate_hard_taints(pod.tolerations, now.taints) &&
             !tolerate_hard_taints(pod.tolerations, before.taints);
    case Plugin::kNodeAffinity:
      return pod.nodes.matches(now.name, now.labels) &&
             !pod.nodes.matches(before.name, before.labels);
    case Plugin::kNodeResourcesFit:
      return fits(pod.requests.amounts, now) &&
             (now.allowed_pods > before.allowed_pods ||
              grew(pod.requests.amounts, before.allocatable, now.allocatable));
    case Plugin::kVolumeBinding:
    case Plugin::kVolumeZone:
      return labels;
    case Plugin::kPodTopologySpread:
      return node_helps_spread(pod, &before, &now);
    case Plugin::kInterPodAffinity:
      return labels && node_helps_affinity(pod, &before, now);
    default:
      return false;
  }
}

bool spread_counts(const Cache& cache, const PodInfo& pod, const PodInfo& other) {
  return pod.ns == other.ns &&
         std::any_of(pod.spread.begin(), pod.spread.end(), [&](const SpreadConstraint& one) {
           return one.hard &&
                  one.pods.matches(other.ns, other.labels, cache.all_namespace_labels());
         });
}

bool affinity_changes(const Cache& cache, const PodInfo& pod, const PodInfo* before,
                      const PodInfo* now) {
  const auto wanted = [&](const PodInfo& other) {
    return are_about(cache, pod.affinity.required, other);
  };
  const auto unwanted = [&](const PodInfo& other) {
    return are_about(cache, pod.affinity.required_anti, other);
  };
  if (before != nullptr && now != nullptr) {
    return (!wanted(*before) && wanted(*now)) || (unwanted(*before) && !unwanted(*now));
  }
  if (now != nullptr) return wanted(*now);
  return unwanted(*before) || are_about(cache, before->affinity.required_anti, pod);
}

bool shares_volumes(const PodInfo& pod, const PodInfo& other) {
  if (pod.ns != other.ns) return false;
  if (!pod.exclusive.empty() && !other.exclusive.empty()) return true;
  return std::any_of(pod.claims.begin(), pod.claims.end(), [&](const ClaimVolume& claim) {
    return std::any_of(other.claims.begin(), other.claims.end(), [&](const ClaimVolume& used) {
      return !claim.ephemeral && !used.ephemeral && claim.claim == used.claim;
    });
  });
}

bool conflicts(const PodInfo& pod, const PodInfo& other) {
  return std::any_of(pod.ports.begin(), pod.ports.end(), [&](const HostPort& port) {
    return std::any_of(other.ports.begin(), other.ports.end(),
                       [&](const HostPort& used) { return port.conflicts(used); });
  });
}

bool departure_helps(const Cache& cache, const PodInfo& pod, Plugin plugin, const PodInfo& gone) {
  switch (plugin) {
    case Plugin::kNodePorts:
      return conflicts(pod, gone);
    case Plugin::kNodeResourcesFit:
      return true;
    case Plugin::kVolumeRestrictions:
      return shares_volumes(pod, gone);
    case Plugin::kNodeVolumeLimits:
      return !gone.claims.empty() || !gone.csi_drivers.empty();
    case Plugin::kPodTopologySpread:
      return spread_counts(cache, pod, gone);
    case Plugin::kInterPodAffinity:
      return affinity_changes(cache, pod, &gone, nullptr);
    default:
      return false;
  }
}

bool pod_helps(const Cache& cache, const PodInfo& pod, Plugin plugin, const PodInfo* before,
               const PodInfo& now) {
  switch (plugin) {
    case Plugin::kNodeResourcesFit:
      return before != nullptr &&
             grew(pod.requests.amounts, now.requests.amounts, before->requests.amounts);
    case Plugin::kPodTopologySpread:
      return (before == nullptr || before->labels != now.labels) &&
             (spread_counts(cache, pod, now) ||
              (before != nullptr && spread_counts(cache, pod, *before)));
    case Plugin::kInterPodAffinity:
      return affinity_changes(cache, pod, before, &now);
    default:
      return false;
  }
}

bool own_change_helps(const PodInfo& before, const PodInfo& now, Plugin plugin) {
  const bool tolerations = before.tolerations.size() != now.tolerations.size();
  switch (plugin) {
    case Plugin::kSchedulingGates:
      return before.gated && !now.gated;
    case Plugin::kNodeUnschedulable:
      return tolerations && tolerate(now.tolerations, unschedulable_taint());
    case Plugin::kTaintToleration:
      return tolerations;
    case Plugin::kNodeResourcesFit:
      return before.requests.amounts != now.requests.amounts;
    case Plugin::kPodTopologySpread:
    case Plugin::kInterPodAffinity:
      return before.labels != now.labels;
    default:
      return false;
  }
}

bool storage_helps(const PodInfo& pod, Plugin plugin, const ClusterEvent& event) {
  const bool volumes = plugin == Plugin::kVolumeBinding || plugin == Plugin::kVolumeZone;
  if (event.kind != EventKind::kClaim) {
    return volumes || (plugin == Plugin::kNodeVolumeLimits && event.kind == EventKind::kStorage);
  }
  if (!volumes && plugin != Plugin::kVolumeRestrictions && plugin != Plugin::kNodeVolumeLimits) {
    return false;
  }
  return pod.ns == event.ns &&
         std::any_of(pod.claims.begin(), pod.claims.end(),
                     [&](const ClaimVolume& claim) { return claim.claim == event.name; });
}

bool devices_help(const PodInfo& pod, const ClusterEvent& event) {
  switch (event.kind) {
    case EventKind::kNode:
      return event.node_before == nullptr || event.node_before->labels != event.node->labels ||
             event.node_before->allocatable != event.node->allocatable;
    case EventKind::kOwn:
      return event.pod_before->device_claims != event.pod->device_claims;
    case EventKind::kDeviceClaim:
      return pod.ns == event.ns &&
             std::any_of(pod.device_claims.begin(), pod.device_claims.end(),
                         [&](const DeviceClaim& claim) { return claim.claim == event.name; });
    default:
      return event.kind == EventKind::kDevices;
  }
}

bool helps(const Cache& cache, const PodInfo& pod, Plugin plugin, const ClusterEvent& event) {
  if (plugin == Plugin::kDynamicResources) return devices_help(pod, event);
  switch (event.kind) {
    case EventKind::kNode:
      return event.node_before == nullptr
                 ? new_node_helps(pod, plugin, *event.node)
                 : changed_node_helps(pod, plugin, *event.node_before, *event.node);
    case EventKind::kNodeGone:
      return plugin == Plugin::kPodTopologySpread &&
             node_helps_spread(pod, event.node_before, nullptr);
    case EventKind::kPod:
      return pod_helps(cache, pod, plugin, event.pod_before, *event.pod);
    case EventKind::kPodGone:
      return departure_helps(cache, pod, plugin, *event.pod_before);
    case EventKind::kOwn:
      return own_change_helps(*event.pod_before, *event.pod, plugin);
    case EventKind::kClaim:
    case EventKind::kVolume:
    case EventKind::kStorage:
      return storage_helps(pod, plugin, event);
    case EventKind::kDevices:
    case EventKind::kDeviceClaim:
      return false;
  }
  return false;
}

}  // namespace

bool is_worth_another_try(const Cache& cache, const PodInfo& pod, Plugins refused_by,
                          const ClusterEvent& event) {
  if (refused_by.empty()) return event.kind != EventKind::kOwn;
  for (unsigned i = 0; i <= static_cast<unsigned>(Plugin::kDynamicResources); ++i) {
    const auto plugin = static_cast<Plugin>(i);
    if (refused_by.has(plugin) && helps(cache, pod, plugin, event)) return true;
  }
  return false;
}

}  // namespace tabernetes::controllers::scheduling
