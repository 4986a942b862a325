// The roles and bindings that a cluster with access control begins with.
// Source: upstream 1.36 plugin/pkg/auth/authorizer/rbac/bootstrappolicy.
#pragma once

#include <string>

namespace tabernetes::auth {

// JSON documents.
std::string bootstrap_roles_manifest();

}  // namespace tabernetes::auth
