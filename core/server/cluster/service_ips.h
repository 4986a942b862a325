// The addresses of Services as objects of their own, IPAddresses, by which servers over one storage
// agree: who creates the IPAddress has the address. Source: upstream 1.36:
// pkg/registry/core/service/ipallocator/ipallocator.go.
#pragma once

#include <cstddef>

#include "server/cluster/cluster.h"

namespace tabernetes::server {

// Creates and deletes the IPAddresses of the Services that were written since the history ended at
// `begin`.
void follow_service_ips(Cluster& cluster, std::size_t begin);

}  // namespace tabernetes::server
