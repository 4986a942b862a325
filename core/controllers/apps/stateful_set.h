// The controller of StatefulSets, whose pods have names, an order and claims of their own. Source:
// upstream 1.36 pkg/controller/statefulset.
#pragma once

#include "controllers/loop/queued_loop.h"
#include "controllers/shared/workload.h"

namespace tabernetes::controllers {

class StatefulSets final : public Cloneable<StatefulSets, SyncLoop> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: those of StatefulSets.
  Result<void> sync(const ReconcileContext& cluster, const std::string& key) override;
  void forget() override { selectors_.clear(); }

  SelectorCache selectors_;
};

}  // namespace tabernetes::controllers
