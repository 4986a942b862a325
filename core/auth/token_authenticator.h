// Whose token it is. Source: upstream 1.36 apiserver/pkg/authentication.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/token_file.h"
#include "auth/token_issuer.h"
#include "registry/resource_type.h"
#include "store/tree.h"
#include "tabernetes/time.h"

namespace tabernetes::auth {

struct Authenticated {
  std::optional<User> user;  // nothing: nobody's
  std::string error;         // what is wrong with a token of ours; empty: it is none
  std::vector<std::string> audiences;
};

// Looks at one state of the objects: tokens hold as long as what they are bound to.
struct TokenAuthenticator {
  const TokenIssuer& issuer;
  const TokenFile& file;
  const registry::ResourceTable& resources;
  const store::Tree& objects;
  Time now;

  // For one of `audiences`.
  Authenticated authenticate(std::string_view token,
                             const std::vector<std::string>& audiences) const;
};

// Those that are in both.
std::vector<std::string> common_audiences(const std::vector<std::string>& some,
                                          const std::vector<std::string>& others);

}  // namespace tabernetes::auth
