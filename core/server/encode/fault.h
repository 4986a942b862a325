// What fails in the server, as the public functions tell it.
#pragma once

#include "base/api_status.h"
#include "tabernetes/expected.h"

namespace tabernetes::server {

Fault fault_of(const ApiStatus& status);

}  // namespace tabernetes::server
