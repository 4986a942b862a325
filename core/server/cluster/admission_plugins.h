// Which admission plugins a cluster runs.
#pragma once

#include "registry/admission.h"
#include "tabernetes/options.h"

namespace tabernetes::server {

registry::Plugins chosen_plugins(const Options& options);

}  // namespace tabernetes::server
