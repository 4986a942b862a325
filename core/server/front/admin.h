// /-/tabernetes/: controls the host and the cluster, outside the API.
#pragma once

#include <string_view>

#include "server/cluster/cluster.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

bool is_admin_path(std::string_view target);

// Handles POST clock, compact, corrupt, reset; GET and PUT snapshot; GET, PUT and DELETE behaviour;
// GET metrics.
Response answer_admin(Cluster& cluster, const Request& request);

}  // namespace tabernetes::server
