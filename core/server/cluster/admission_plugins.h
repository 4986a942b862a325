// The admission plugins that a cluster runs.
#pragma once

#include "registry/kind/admission.h"
#include "tabernetes/options.h"

namespace tabernetes::server {

registry::Plugins chosen_plugins(const Options& options);

}  // namespace tabernetes::server
