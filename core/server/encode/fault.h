// Failures of the server as faults of public functions.
#pragma once

#include "base/api/api_status.h"
#include "tabernetes/expected.h"

namespace tabernetes::server {

// Returns the message, and the Status as JSON.
Fault fault_of(const ApiStatus& status);

}  // namespace tabernetes::server
