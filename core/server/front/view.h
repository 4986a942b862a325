// Makes a View of the present state of a cluster. See tabernetes/api_server.h.
#pragma once

#include <memory>

#include "server/audit/audit_trail.h"
#include "server/cluster/cluster.h"
#include "server/request/request_context.h"
#include "tabernetes/api_server.h"

namespace tabernetes::server {

std::shared_ptr<const View> make_view(Cluster& cluster);

// Adds the Audit-Id header: the client's own id, or a new one.
void add_audit_id(const Request& request, AuditIds& ids, Response& response);

// Returns where the request notes what its audit events say; null if nothing is logged.
std::shared_ptr<AuditTrail> make_trail(const std::shared_ptr<const Auditor>& auditor,
                                       const Request& request, Time begun,
                                       const std::shared_ptr<AuditIds>& ids);
// Returns it for an attempt to answer, without what an earlier one has found.
Audited attempt_of(AuditTrail* trail);
// Adds the Audit-Id header of the trail and writes the events of the answer. `now` as for
// AuditTrail::finish().
void finish_trail(const std::shared_ptr<AuditTrail>& trail, Response& response, const Time& now);

}  // namespace tabernetes::server
