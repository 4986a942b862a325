// `tabernetes serve`: from the flags to a running server and its end.
#pragma once

#include "flags.h"

namespace tabernetes::host {

// Serves until SIGINT or SIGTERM. Returns the exit code: 0, or 1 if it could not start, after one
// line on stderr per problem.
int serve(const ServeFlags& flags);

}  // namespace tabernetes::host
