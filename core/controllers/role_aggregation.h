// Aggregates the rules of labelled cluster roles into others. Source: upstream 1.36
// pkg/controller/clusterroleaggregation.
#pragma once

#include "controllers/control_loop.h"
#include "controllers/work_queue.h"

namespace tabernetes::controllers {

class RoleAggregation final : public ControlLoop {
 public:
  void observe(const registry::Registry& registry, const Change& change) override;
  void restart() override { queue_.clear(); }
  std::optional<Time> next() const override { return queue_.next(); }
  void work(const Turn& turn) override;
  std::unique_ptr<ControlLoop> clone() const override {
    return std::make_unique<RoleAggregation>(*this);
  }

 private:
  WorkQueue queue_;  // names of roles; empty: all aggregating ones
};

}  // namespace tabernetes::controllers
