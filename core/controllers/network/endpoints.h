// Maintains the Endpoints of services with selectors. Source: upstream 1.36
// pkg/controller/endpoint, pkg/api/v1/endpoints.
#pragma once

#include "controllers/network/service_observer.h"

namespace tabernetes::controllers {

class EndpointsLoop final : public Cloneable<EndpointsLoop, ServiceLoop> {
 private:
  void observe_endpoints(const WatchEvent& change) override;
  // Keys: services.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers
