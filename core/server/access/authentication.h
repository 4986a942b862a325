// Who sends a request. Source: spec/crd-auth-admission.md 5; upstream 1.36
// apiserver/pkg/endpoints/filters/authentication.go.
#pragma once

#include "auth/token_authenticator.h"
#include "base/result.h"
#include "server/request/call.h"

namespace tabernetes::server {

// What knows tokens in the call's state of the objects.
auth::TokenAuthenticator token_authenticator(const Call& call);

// Sets the call's user. Errors: 401 for a token that is nobody's, and for none where anonymous
// callers are refused. In a cluster without a token file in which everybody may do everything
// tokens of others are ignored, so that any client with some token or other gets in.
Result<void> authenticate(Call& call);

}  // namespace tabernetes::server
