// Marks pods that controllers are about to delete.
#pragma once

#include <string_view>

#include "controllers/loop/control_loop.h"

namespace tabernetes::controllers {

// Sets the pod's condition DisruptionTarget, and its phase if one is given. Errors: those of a PUT.
Result<void> mark_disrupted(const ReconcileContext& cluster, const registry::ObjectRef& pod,
                            std::string_view reason, std::string_view message,
                            std::string_view phase = {});

}  // namespace tabernetes::controllers
