// The disruption controller: maintains the status of PodDisruptionBudgets, which decides about
// evictions. Source: spec/lifecycle.md 8.14; upstream 1.36 pkg/controller/disruption.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class Disruption final : public Cloneable<Disruption, ControlLoop> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;
  void resync() override;
  std::optional<Time> next() const override;
  void reconcile_due(const ReconcileContext& cluster) override;

 private:
  void observe_pod(const registry::Registry& registry, const WatchEvent& change);
  void update_budget(const ReconcileContext& cluster, std::string_view key);
  // Tells of a pod that several budgets select which of them counts.
  void tell_of_choice(const ReconcileContext& cluster, std::string_view choice);
  void reset_stale_target(const ReconcileContext& cluster, std::string_view key);

  WorkQueue budgets_;  // keys of budgets
  WorkQueue chosen_;   // for tell_of_choice(): the pod's name, a space, the chosen budget's key
  WorkQueue pods_;     // keys of pods whose condition DisruptionTarget may be stale
};

}  // namespace tabernetes::controllers
