// Resolves a webhook's service to an address, as kube-apiserver does.
//
// Source: upstream 1.36 apiserver pkg/util/proxy, ResolveCluster.
#pragma once

#include <string>
#include <string_view>

#include "registry/kind/strategy.h"
#include "tabernetes/expected.h"

namespace tabernetes::server {

// Returns the address, such as "localhost:9443", or why there is none: `service "hook" not found`.
// Cluster addresses are not reachable here: a service that has one refuses connections, like one
// without endpoints.
Expected<std::string> route_to_service(const registry::ObjectReader& objects, std::string_view ns,
                                       std::string_view name, int port);

}  // namespace tabernetes::server
