// Authenticates the tokens of service accounts that are in Secrets. Source: upstream 1.36
// pkg/serviceaccount/legacy.go.
#pragma once

#include <string_view>
#include <vector>

#include "auth/token_authenticator.h"
#include "json/value.h"

namespace tabernetes::auth {

inline constexpr std::string_view kLegacyIssuer = "kubernetes/serviceaccount";

// Judges a token with these claims, whose signature is ours. Such tokens are for this server only.
Authenticated authenticate_legacy_token(const TokenAuthenticator& context, std::string_view token,
                                        const json::Value& claims,
                                        const std::vector<std::string>& audiences);

}  // namespace tabernetes::auth
