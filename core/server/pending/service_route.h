// Where kube-apiserver turns for a webhook that is a service.
//
// Source: upstream 1.36 apiserver pkg/util/proxy, ResolveCluster.
#pragma once

#include <string>
#include <string_view>

#include "registry/strategy.h"
#include "tabernetes/expected.h"

namespace tabernetes::server {

// Returns the address, such as "localhost:9443", or why there is none: `service "hook" not found`.
// Nobody carries what is sent to an address of the cluster: a service that has one refuses, as one
// without endpoints does.
Expected<std::string> route_to_service(const registry::ObjectReader& objects, std::string_view ns,
                                       std::string_view name, int port);

}  // namespace tabernetes::server
