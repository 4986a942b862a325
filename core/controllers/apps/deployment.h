// The controller of Deployments, which brings ReplicaSets from one pod template to the next.
// Source: upstream 1.36 pkg/controller/deployment.
#pragma once

#include <set>
#include <string>

#include "controllers/loop/queued_loop.h"
#include "controllers/shared/workload.h"

namespace tabernetes::controllers {

class Deployments final : public Cloneable<Deployments, SyncLoop> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: those of Deployments.
  Result<void> sync(const ReconcileContext& cluster, const std::string& key) override;
  void forget() override {
    selectors_.clear();
    recreating_.clear();
  }

  void observe_deployment(const WatchEvent& change);
  void observe_replica_set(const registry::Registry& registry, const WatchEvent& change);
  void observe_pod(const registry::Registry& registry, const WatchEvent& change);

  SelectorCache selectors_;
  std::set<std::string> recreating_;  // keys of those whose strategy is Recreate
};

}  // namespace tabernetes::controllers
