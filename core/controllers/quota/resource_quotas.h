// Keeps the status of ResourceQuotas: its limits follow the spec, and what is used sinks when
// objects end or go. Admission adds what new objects use. Source: upstream 1.36
// pkg/controller/resourcequota.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class ResourceQuotas final : public QueuedLoop<ResourceQuotas> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: quotas; without a name, all of a namespace; without either, all.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers
