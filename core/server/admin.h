// /-/tabernetes/: control of the host and the cluster, outside the API. Source: contract.md.
#pragma once

#include <string_view>

#include "server/cluster.h"
#include "tabernetes/request.h"
#include "tabernetes/response.h"

namespace tabernetes::server {

// What `reset` goes back to.
struct InitialState {
  store::Snapshot objects;
  Time now;
};

bool is_admin_path(std::string_view target);

// POST compact, clock, reset.
Response answer_admin(Cluster& cluster, const InitialState& initial, const Request& request);

}  // namespace tabernetes::server
