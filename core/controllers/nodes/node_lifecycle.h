// Watches the health of nodes: taints follow conditions, conditions become Unknown when heartbeats
// stop, and the pods of nodes that are not ready are marked and, by taints, evicted. Source:
// upstream 1.36 pkg/controller/nodelifecycle.
#pragma once

#include <map>
#include <set>
#include <string>

#include "controllers/loop/queued_loop.h"
#include "controllers/nodes/node_zones.h"

namespace tabernetes::controllers {

class NodeLifecycle final : public Cloneable<NodeLifecycle, ControlLoop> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;
  void resync() override;
  std::optional<Time> next() const override;
  std::optional<Time> next_once() const override;
  void reconcile_due(const ReconcileContext& cluster) override;

 private:
  struct Health {
    std::string uid, zone;
    std::string ready;            // the status of the condition Ready; empty: there is none
    Time heartbeat;               // when the kubelet was last heard of
    bool is_registered = false;   // it was told of
    bool is_gone = false;         // deleted, which is not told yet
    bool is_excluded = false;     // does not count for disruptions
    bool has_no_execute = false;  // one of our own taints
  };

  void observe_node(const WatchEvent& change);
  void observe_lease(const WatchEvent& change);

  // Taints a node by its conditions, and completes its labels.
  void follow_conditions(const ReconcileContext& cluster, const std::string& node);
  // Looks at all nodes, as upstream does every five seconds.
  void monitor(const ReconcileContext& cluster);
  void monitor_node(const ReconcileContext& cluster, const std::string& node, Health& health);
  void mark_unknown(const ReconcileContext& cluster, const std::string& node, Health& health);
  void handle_disruption(const ReconcileContext& cluster);
  void remove_no_execute(const ReconcileContext& cluster, const std::string& node);
  void mark_pods_not_ready(const ReconcileContext& cluster, const Informers::Pods& pods);
  // Taints one node of a zone so that its pods are evicted, as fast as the zone's state allows.
  void taint_in_zone(const ReconcileContext& cluster, const std::string& zone);

  std::map<std::string, Health, std::less<>> nodes_;
  NodeZones zones_;
  WorkQueue conditions_;  // nodes
  WorkQueue monitor_;     // one key
  WorkQueue silent_;      // nodes that may not have been heard of for too long
  WorkQueue taints_;      // zones
  WorkQueue pods_;        // pods that came to a node
};

}  // namespace tabernetes::controllers
