// The initial roles and bindings of a cluster with RBAC. Source: upstream 1.36
// plugin/pkg/auth/authorizer/rbac/bootstrappolicy.
#pragma once

#include <string>

namespace tabernetes::auth {

// Returns a sequence of JSON documents.
std::string bootstrap_roles_manifest();

}  // namespace tabernetes::auth
