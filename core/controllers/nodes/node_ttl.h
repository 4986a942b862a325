// Annotates nodes with how long their kubelets may keep secrets and config maps, by the number of
// nodes. Source: upstream 1.36 pkg/controller/ttl.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class NodeTtl final : public QueuedLoop<NodeTtl> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: nodes.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
  void forget() override {
    count_ = 0;
    step_ = 0;
  }

  int count_ = 0;         // nodes
  std::size_t step_ = 0;  // in the table of sizes
};

}  // namespace tabernetes::controllers
