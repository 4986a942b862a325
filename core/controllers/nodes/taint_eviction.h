// Evicts pods from nodes with NoExecute taints that they do not tolerate, or no longer. Source:
// upstream 1.36 pkg/controller/tainteviction.
#pragma once

#include <map>
#include <set>
#include <string>

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class TaintEviction final : public Cloneable<TaintEviction, ControlLoop> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;
  void resync() override;
  std::optional<Time> next() const override;
  void reconcile_due(const ReconcileContext& cluster) override;

 private:
  struct Eviction {
    Time since, due;
  };

  void look_at_node(const ReconcileContext& cluster, const std::string& name);
  void look_at_pod(const ReconcileContext& cluster, const std::string& key);
  void plan(const ReconcileContext& cluster, const PodSummary& pod,
            const std::vector<json::Value>& taints);
  void cancel(const ReconcileContext& cluster, const std::string& pod);
  // Marks the pod; its deletion follows, a request later.
  void evict(const ReconcileContext& cluster, const std::string& pod);
  void remove(const ReconcileContext& cluster, const std::string& pod);

  WorkQueue nodes_;
  WorkQueue pods_;
  WorkQueue due_;                               // pods whose eviction is due
  WorkQueue marked_;                            // pods whose deletion follows
  std::map<std::string, Eviction> evictions_;   // planned, by pod
  std::set<std::string, std::less<>> tainted_;  // nodes with such taints
};

}  // namespace tabernetes::controllers
