// Maintains the condition of each FlowSchema that tells whether its PriorityLevelConfiguration
// exists. Always runs, as part of the API server. Source: upstream 1.36
// apiserver/pkg/util/flowcontrol/apf_controller.go.
#pragma once

#include "controllers/control_loop.h"
#include "controllers/work_queue.h"

namespace tabernetes::controllers {

class FlowSchemas final : public ControlLoop {
 public:
  void observe(const registry::Registry& registry, const Change& change) override;
  void restart() override { queue_.clear(); }
  std::optional<Time> next() const override { return queue_.next(); }
  void work(const Turn& turn) override;
  std::unique_ptr<ControlLoop> clone() const override {
    return std::make_unique<FlowSchemas>(*this);
  }

 private:
  WorkQueue queue_;  // names of FlowSchemas; "" means all
};

}  // namespace tabernetes::controllers
