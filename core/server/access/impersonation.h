// Requests in the name of somebody else: the headers Impersonate-*.
// Source: spec/crd-auth-admission.md 5.5; upstream 1.36
// apiserver/pkg/endpoints/filters/impersonation.
#pragma once

#include "server/access/authorization.h"

namespace tabernetes::server {

// Puts whom the headers name in the place of the call's user, if that is allowed for this request.
// Errors: 400 for headers without a user, 403.
Result<void> impersonate(Call& call, const RequestAttributes& wanted);

}  // namespace tabernetes::server
