// The disruption controller: maintains the status of PodDisruptionBudgets, which decides about
// evictions. Source: spec/lifecycle.md 8.14; upstream 1.36 pkg/controller/disruption.
#pragma once

#include "controllers/queued_loop.h"

namespace tabernetes::controllers {

class Disruption final : public CopiedLoop<Disruption, ControlLoop> {
 public:
  void observe(const registry::Registry& registry, const Change& change) override;
  void restart() override;
  std::optional<Time> next() const override;
  void work(const Turn& turn) override;

 private:
  void observe_pod(const registry::Registry& registry, const Change& change);
  void update_budget(const Turn& turn, std::string_view key);
  void reset_stale_target(const Turn& turn, std::string_view key);

  WorkQueue budgets_;  // keys of budgets
  WorkQueue pods_;     // keys of pods whose condition DisruptionTarget may be stale
};

}  // namespace tabernetes::controllers
