// Resolves a webhook's service to an address, as kube-apiserver does.
//
// Source: upstream 1.36 apiserver pkg/util/proxy, ResolveCluster.
#pragma once

#include <string>
#include <string_view>

#include "registry/kind/strategy.h"

namespace tabernetes::server {

struct ServiceRoute {
  std::string address;  // "localhost:9443"; empty on failure
  std::string fault;    // why there is no address: `service "hook" not found`
};

// Cluster addresses are not reachable here: a service that has one refuses connections, like one
// without endpoints.
ServiceRoute route_to_service(const registry::ObjectReader& objects, std::string_view ns,
                              std::string_view name, int port);

}  // namespace tabernetes::server
