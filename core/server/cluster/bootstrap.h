// What a fresh cluster holds. Source: spec/lifecycle.md 5.5.
#pragma once

#include "server/cluster/cluster.h"

namespace tabernetes::server {

// Creates the four namespaces, the `kubernetes` Service and the simulated nodes.
void create_initial_objects(Cluster& cluster);

}  // namespace tabernetes::server
