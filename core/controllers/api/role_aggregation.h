// Aggregates the rules of labelled cluster roles into others. Source: upstream 1.36
// pkg/controller/clusterroleaggregation.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class RoleAggregation final : public QueuedLoop<RoleAggregation> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: names of roles; empty: all aggregating ones.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers
