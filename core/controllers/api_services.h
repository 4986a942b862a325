// Creates an APIService for each served group version of custom resources, and deletes it
// afterwards. Source: upstream 1.36 kube-aggregator pkg/controllers/autoregister, kubernetes
// pkg/controlplane/controller/crdregistration.
#pragma once

#include "controllers/control_loop.h"
#include "controllers/work_queue.h"

namespace tabernetes::controllers {

class ApiServices final : public ControlLoop {
 public:
  void observe(const registry::Registry& registry, const Change& change) override;
  void restart() override { queue_.clear(); }
  std::optional<Time> next() const override { return queue_.next(); }
  void work(const Turn& turn) override;
  std::unique_ptr<ControlLoop> clone() const override {
    return std::make_unique<ApiServices>(*this);
  }

 private:
  WorkQueue queue_;  // groups
};

}  // namespace tabernetes::controllers
