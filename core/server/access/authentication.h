// Authenticates the sender of a request. Source: spec/crd-auth-admission.md 5; upstream 1.36
// apiserver/pkg/endpoints/filters/authentication.go.
#pragma once

#include "auth/token_authenticator.h"
#include "base/api/result.h"
#include "server/request/request_context.h"

namespace tabernetes::server {

// Returns an authenticator for the call's state of the objects.
auth::TokenAuthenticator token_authenticator(const RequestContext& call);

// Sets the call's user: whom a trusted proxy names, the owner of the client's certificate, or that
// of the token. Errors: 401 for an invalid token, for a certificate that is not trusted if there is
// no valid token, and for neither if anonymous requests are not allowed. Exception: in an
// AlwaysAllow cluster without a token file, unknown tokens are ignored, so that a client with any
// token gets in.
Result<void> authenticate(RequestContext& call);

}  // namespace tabernetes::server
