// From a request to the code that answers it. Source: spec/rest.md 1.
#pragma once

#include "server/cluster.h"
#include "tabernetes/request.h"
#include "tabernetes/response.h"

namespace tabernetes::server {

// Answers any request but those of the host's control paths (see admin.h).
Response route(Cluster& cluster, const Request& request);

}  // namespace tabernetes::server
