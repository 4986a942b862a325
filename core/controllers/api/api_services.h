// Creates an APIService for each served group version of custom resources, and deletes it
// afterwards. Source: upstream 1.36 kube-aggregator pkg/controllers/autoregister, kubernetes
// pkg/controlplane/controller/crdregistration.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class ApiServices final : public QueuedLoop<ApiServices> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: groups.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers
