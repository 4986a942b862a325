// Authenticates nodes that join the cluster by a token. Source: upstream 1.36
// plugin/pkg/auth/authenticator/token/bootstrap.
#pragma once

#include <optional>
#include <string_view>

#include "auth/user.h"
#include "registry/kind/resource_type.h"
#include "store/tree.h"
#include "tabernetes/time.h"

namespace tabernetes::auth {

// Returns the user `system:bootstrap:ID` of a token `ID.SECRET` that a Secret of kube-system has.
std::optional<User> user_of_bootstrap_token(const registry::ResourceTable& resources,
                                            const store::Tree& objects, Time now,
                                            std::string_view token);

}  // namespace tabernetes::auth
