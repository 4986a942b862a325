// Makes a View of the present state of a cluster. See tabernetes/api_server.h.
#pragma once

#include <memory>

#include "server/cluster/cluster.h"
#include "tabernetes/api_server.h"

namespace tabernetes::server {

std::shared_ptr<const View> make_view(Cluster& cluster);

// Adds the Audit-Id header: the client's own id, or a new one.
void add_audit_id(const Request& request, AuditIds& ids, Response& response);

}  // namespace tabernetes::server
