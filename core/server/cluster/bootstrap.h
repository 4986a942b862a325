// The initial objects of a fresh cluster. Source: spec/lifecycle.md 5.5.
#pragma once

#include "server/cluster/cluster.h"

namespace tabernetes::server {

// Creates the four namespaces, the `kubernetes` Service, the simulated nodes and the others, unless
// they exist.
void create_initial_objects(Cluster& cluster);

}  // namespace tabernetes::server
