// Server-side apply by a control loop.
#pragma once

#include "controllers/control_loop.h"
#include "registry/part.h"

namespace tabernetes::controllers {

// Applies a configuration to an object, or to its status, by force. What is not there is left
// alone.
void apply(const Turn& turn, const registry::ObjectRef& ref, registry::Part part,
           std::string_view manager, const json::Value& configuration);

}  // namespace tabernetes::controllers
