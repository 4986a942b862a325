// The kubelets of all simulated nodes: they keep their Nodes and leases, and run the pods that are
// bound to them. Source: upstream 1.36 pkg/kubelet.
//
// What a kubelet knows of a pod is in the pod's status. Beside the objects it remembers which
// addresses and images a node has, which it also finds in the objects.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "controllers/kubelet/behaviour_rules.h"
#include "controllers/kubelet/node.h"
#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers::kubelet {

// The loop's name in the table.
inline constexpr std::string_view kLoopName = "kubelet";

class Kubelets final : public Cloneable<Kubelets, ControlLoop> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;
  void resync() override;
  std::optional<Time> next() const override;
  std::optional<Time> next_once() const override;
  void reconcile_due(const ReconcileContext& cluster) override;

  // Makes all heartbeats due at `due`, if they would be due later.
  void beat_at(Time due);

  const std::shared_ptr<const BehaviourRules>& rules() const { return rules_; }
  // Returns what of the Stages in the cluster has no effect.
  const std::vector<std::string>& stage_warnings() const { return stage_warnings_; }
  // Lets nodes and pods behave by other rules from `now` on.
  void set_rules(std::shared_ptr<const BehaviourRules> rules, const registry::Registry& registry,
                 const Informers& informers, Time now);

 private:
  using NodeMap = std::map<std::string, Node, std::less<>>;

  void observe_node(const WatchEvent& change);
  void set_state(const std::string& name, Node& node, NodeState state, Time due);
  void queue_pods_of(std::string_view node, const Informers& informers, Time due);
  void observe_pod(const WatchEvent& change);
  void observe_needed_object(const WatchEvent& change);
  // Takes in a KWOK Stage, an object of a custom resource.
  void observe_stage(const registry::Registry& registry, const WatchEvent& change);
  void use_rules(const registry::Registry& registry, const Informers& informers, Time due);

  void beat(const ReconcileContext& cluster, const std::string& name);
  void register_node(const ReconcileContext& cluster, const std::string& name, Node& node);
  void report_status(const ReconcileContext& cluster, const std::string& name, Node& node);
  void renew_lease(const ReconcileContext& cluster, const std::string& name, const Node& node);
  void sync_pod(const ReconcileContext& cluster, const std::string& key);

  std::shared_ptr<const BehaviourRules> given_ = std::make_shared<const BehaviourRules>();
  std::map<std::string, std::string, std::less<>> stages_;  // of the cluster: JSON by name
  std::vector<std::string> stage_warnings_;
  std::shared_ptr<const BehaviourRules> rules_ = given_;  // those that are given, then the stages
  NodeMap nodes_;
  WorkQueue pods_;                              // keys of pods
  WorkQueue beats_;                             // names of nodes
  std::set<std::string, std::less<>> lacking_;  // keys of pods that wait for other objects
  // Versions after the first and up to the second were written by the last reconciliation.
  store::Revision own_after_ = 0, own_until_ = 0;
};

}  // namespace tabernetes::controllers::kubelet
