// The table of the flags of `tabernetes serve`, for those who read them.
#pragma once

#include "flags.h"

namespace CLI {
class App;
}

namespace tabernetes::host {

// Adds them all to `app`; what is read goes to `flags`, which outlives the reading.
void add_serve_flags(CLI::App& app, ServeFlags& flags);

}  // namespace tabernetes::host
