// Server-side apply by control loops.
#pragma once

#include "controllers/loop/control_loop.h"
#include "registry/meta/subresource.h"

namespace tabernetes::controllers {

// Applies one member, forced, to an object or its status. Does nothing if the object does not
// exist.
void apply(const ReconcileContext& cluster, const registry::ObjectRef& ref,
           registry::Subresource subresource, std::string_view manager, const json::Member& member);

}  // namespace tabernetes::controllers
