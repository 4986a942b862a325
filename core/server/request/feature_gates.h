// Which feature gates are on.
#pragma once

#include <string_view>

#include "schema/schema.h"
#include "tabernetes/options.h"

namespace tabernetes::server {

// As the host chose, else as Kubernetes has it by default. Knows the gates of the server and those
// that guard fields.
bool gate_enabled(const Options& options, const schema::Catalogue& catalogue,
                  std::string_view name);

}  // namespace tabernetes::server
