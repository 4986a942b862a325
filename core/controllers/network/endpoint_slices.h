// Maintains the EndpointSlices of services with selectors. Source: upstream 1.36
// pkg/controller/endpointslice, k8s.io/endpointslice.
#pragma once

#include <set>

#include "controllers/network/service_observer.h"
#include "controllers/network/topology_hints.h"
#include "store/record.h"

namespace tabernetes::controllers {

class EndpointSliceLoop final : public Cloneable<EndpointSliceLoop, ServiceLoop> {
 private:
  void observe_endpoints(const WatchEvent& change) override;
  // Keys: services; kNodesKey for those that a change of nodes concerns.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
  void forget() override {
    ServiceLoop::forget();
    hints_.clear();
  }
  void reconcile_service(const ReconcileContext& cluster, const std::string& key);
  // Writes the slices of an address type. Returns what failed.
  std::string reconcile_family(const ReconcileContext& cluster, const json::Value& service,
                               std::string_view family, std::vector<EndpointGroup> groups,
                               const std::vector<json::Value>& existing,
                               std::optional<Time> trigger);

  static constexpr std::string_view kNodesKey = "nodes";  // no service: those have a namespace

  TopologyHints hints_;
  // The revisions of the loop's own last writes: these call for no look.
  store::Revision own_after_ = 0, own_until_ = 0;
};

}  // namespace tabernetes::controllers
