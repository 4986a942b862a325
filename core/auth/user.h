// The user of requests without credentials.
#pragma once

#include "registry/meta/user.h"

namespace tabernetes::auth {

using registry::User;

// Returns the anonymous user. Source: spec/rest.md 10.
inline User anonymous_user() {
  return {.name = "system:anonymous", .uid = {}, .groups = {"system:unauthenticated"}, .extra = {}};
}

}  // namespace tabernetes::auth
