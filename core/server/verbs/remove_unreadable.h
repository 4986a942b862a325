// DELETE of a corrupt object (server/request/readable.h).
#pragma once

#include "base/api/result.h"
#include "server/cluster/cluster.h"
#include "server/request/negotiation.h"
#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// Deletes the call's object without reading it. Errors: 403 without the right to do so, 422 unless
// it is corrupt.
Result<Response> remove_unreadable(RequestContext& call, Cluster& cluster,
                                   const Representation& form);

}  // namespace tabernetes::server
