// Authenticates the service account tokens that this server issues. Source: upstream 1.36
// pkg/serviceaccount (jwt.go, claims.go).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "auth/token_authenticator.h"

namespace tabernetes::auth {

// Accepts tokens for any of `audiences`.
Authenticated authenticate_service_account(const TokenAuthenticator& context,
                                           std::string_view token,
                                           const std::vector<std::string>& audiences);

}  // namespace tabernetes::auth
