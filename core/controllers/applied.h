// Server-side apply by control loops.
#pragma once

#include "controllers/control_loop.h"
#include "registry/meta/part.h"

namespace tabernetes::controllers {

// Applies one member, forced, to an object or its status. Does nothing if the object does not
// exist.
void apply(const Turn& turn, const registry::ObjectRef& ref, registry::Part part,
           std::string_view manager, const json::Member& member);

}  // namespace tabernetes::controllers
