// Mirrors the Endpoints that users write for services without a selector to EndpointSlices. Source:
// upstream 1.36 pkg/controller/endpointslicemirroring.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class EndpointSliceMirroring final : public QueuedLoop<EndpointSliceMirroring> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: Endpoints, and so services.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers
