// The issuer of tokens that kube-apiserver's flags --oidc-* describe. Source: upstream 1.36
// pkg/kubeapiserver/options/authentication.go.
#pragma once

#include <string>

#include "tabernetes/options.h"

namespace tabernetes::auth {

// Returns the AuthenticationConfiguration that does what the flags say, but for the algorithms of
// signatures, which it does not limit.
std::string configuration_of(const OidcIssuer& issuer);

// Returns what is wrong with the algorithms; empty: nothing.
std::string algorithms_fault(const OidcIssuer& issuer);

}  // namespace tabernetes::auth
