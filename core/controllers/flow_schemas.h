// Says of each FlowSchema whether its PriorityLevelConfiguration exists. A part of the API server
// rather than of a controller manager: it always runs. Source: upstream 1.36
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
  WorkQueue queue_;  // names of FlowSchemas; "" stands for all
};

}  // namespace tabernetes::controllers
