// The present state of a cluster as a View. See tabernetes/api_server.h.
#pragma once

#include <memory>

#include "server/cluster/cluster.h"
#include "tabernetes/api_server.h"

namespace tabernetes::server {

std::shared_ptr<const View> make_view(Cluster& cluster);

// Adds the Audit-Id: the client's own, or a new one.
void add_audit_id(const Request& request, AuditIds& ids, Response& response);

}  // namespace tabernetes::server
