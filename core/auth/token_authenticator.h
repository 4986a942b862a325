// Authenticates bearer tokens. Source: upstream 1.36 apiserver/pkg/authentication.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "auth/jwt_authenticator.h"
#include "auth/token_file.h"
#include "auth/token_issuer.h"
#include "auth/token_webhook.h"
#include "registry/kind/resource_type.h"
#include "store/tree.h"
#include "tabernetes/time.h"

namespace tabernetes::auth {

// A Secret whose token was used, and whose label does not say so yet.
struct UsedSecret {
  std::string ns, name;
};

struct Authenticated {
  std::optional<User> user;  // unset if the token is not valid
  std::string error;         // what is wrong with one of our tokens; empty for other tokens
  std::vector<std::string> audiences;
  std::string warning;             // for the caller; may be empty
  std::optional<UsedSecret> used;  // also by a caller who is refused
  // An annotation of the request's audit events; its key may be empty.
  std::pair<std::string, std::string> note;
};

// Authenticates against one state of the objects: a token is valid while the objects it is bound to
// exist.
struct TokenAuthenticator {
  const TokenIssuer& issuer;
  const TokenFile& file;
  const registry::ResourceTable& resources;
  const store::Tree& objects;
  Time now;
  bool bootstrap_tokens = false;  // those of nodes that join
  // Asked about tokens that nobody else knows; null: nobody is.
  const TokenWebhook* webhook = nullptr;
  const AuthenticationConfiguration* issuers = nullptr;  // others whose tokens are known; or null
  WebhookAsking* asking = nullptr;                       // null: neither is asked

  // Accepts tokens for any of `audiences`.
  Authenticated authenticate(std::string_view token,
                             const std::vector<std::string>& audiences) const;

 private:
  Authenticated authenticate_here(std::string_view token,
                                  const std::vector<std::string>& audiences) const;
};

// Returns the audiences in both lists.
std::vector<std::string> common_audiences(const std::vector<std::string>& some,
                                          const std::vector<std::string>& others);

}  // namespace tabernetes::auth
