// Maintains the condition of each FlowSchema that tells whether its PriorityLevelConfiguration
// exists. Always runs, as part of the API server. Source: upstream 1.36
// apiserver/pkg/util/flowcontrol/apf_controller.go.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class FlowSchemas final : public QueuedLoop<FlowSchemas> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: names of FlowSchemas; "" means all.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers
