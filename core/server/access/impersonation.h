// Impersonation: the headers Impersonate-*. Source: spec/crd-auth-admission.md 5.5; upstream 1.36
// apiserver/pkg/endpoints/filters/impersonation.
#pragma once

#include "server/access/authorization.h"

namespace tabernetes::server {

// Returns the user of Request::host_identity, with the groups that the server adds.
auth::User user_of_host(const RequestContext& call);

// Replaces the user of the call by the one named in the headers, if that is permitted for this
// request. Errors: 400 for headers without a user, 403.
Result<void> impersonate(RequestContext& call, const RequestAttributes& wanted);

}  // namespace tabernetes::server
