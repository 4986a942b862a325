// The admission plugins that a cluster runs.
#pragma once

#include "admission/plugin.h"
#include "tabernetes/options.h"

namespace tabernetes::server {

admission::PluginSet chosen_plugins(const Options& options);

}  // namespace tabernetes::server
