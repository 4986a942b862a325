// Knows callers by the tokens of other issuers (OpenID Connect). Source: upstream 1.36
// apiserver/plugin/pkg/authenticator/token/oidc; go-oidc v3.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "auth/authentication_configuration.h"
#include "auth/user.h"
#include "auth/webhook_authorizer.h"
#include "tabernetes/time.h"

namespace tabernetes::auth {

struct JwtCaller {
  std::optional<User> user;
  std::string error;  // why there is none; empty for tokens that no issuer has issued
};

// Asks for the keys of the token's issuer if they are not known.
JwtCaller authenticate_jwt(const AuthenticationConfiguration& configuration, WebhookAsking& asking,
                           Time now, std::string_view token);

}  // namespace tabernetes::auth
