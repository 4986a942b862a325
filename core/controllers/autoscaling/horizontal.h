// Scales workloads by what their pods use, every 15 seconds. Source: upstream 1.36
// pkg/controller/podautoscaler.
#pragma once

#include <map>
#include <string>

#include "controllers/autoscaling/scale_limits.h"
#include "controllers/loop/queued_loop.h"
#include "registry/selectors/label_selector.h"

namespace tabernetes::controllers {

// By the keys of autoscalers: which pods they scale, since they looked for the first time.
using ScaledSelectors = std::map<std::string, registry::LabelSelector>;

class HorizontalAutoscaling final : public QueuedLoop<HorizontalAutoscaling> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: autoscalers.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
  void forget() override {
    histories_.clear();
    selectors_.clear();
  }

  std::map<std::string, ScaleHistory> histories_;
  ScaledSelectors selectors_;
};

}  // namespace tabernetes::controllers
