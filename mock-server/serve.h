// `tabernetes serve`: from the flags to a running server and its end.
#pragma once

#include "flags.h"

namespace tabernetes::host {

// Serves until SIGINT or SIGTERM. Returns the exit code: 0, or 1 when it could not start, after a
// line on stderr for each problem.
int serve(const ServeFlags& flags);

}  // namespace tabernetes::host
