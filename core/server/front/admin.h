// /-/tabernetes/: controls the host and the cluster, outside the API.
#pragma once

#include <string_view>

#include "server/cluster/cluster.h"
#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

bool is_admin_path(std::string_view target);
// Returns whether the request asks for another one to be explained: see explain.h.
bool asks_for_explanation(const Request& request);

// Handles POST clock, compact, corrupt, reset; GET and PUT snapshot; GET, PUT and DELETE behaviour;
// GET metrics; GET explain, in the state that `reading` shows.
Response answer_admin(Cluster& cluster, const ReadContext& reading, const Request& request);

}  // namespace tabernetes::server
