// Deletes Jobs, with their pods, when they have been finished for spec.ttlSecondsAfterFinished.
// Source: upstream 1.36 pkg/controller/ttlafterfinished.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class TtlAfterFinished final : public QueuedLoop<TtlAfterFinished> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: jobs.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers
