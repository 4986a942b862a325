// Who asks without saying who he is.
#pragma once

#include "registry/user.h"

namespace tabernetes::auth {

using registry::User;

// Who comes without a credential. Source: spec/rest.md 10.
inline User anonymous_user() {
  return {.name = "system:anonymous", .uid = {}, .groups = {"system:unauthenticated"}, .extra = {}};
}

}  // namespace tabernetes::auth
