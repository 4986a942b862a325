// Maintains the EndpointSlices of services with selectors. Source: upstream 1.36
// pkg/controller/endpointslice, k8s.io/endpointslice.
#pragma once

#include <set>

#include "controllers/network/service_observer.h"
#include "store/record.h"

namespace tabernetes::controllers {

class EndpointSliceLoop final : public Cloneable<EndpointSliceLoop, ServiceLoop> {
 private:
  void observe_endpoints(const WatchEvent& change) override;
  // Keys: services.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers
