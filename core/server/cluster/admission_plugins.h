// The admission plugins that a cluster runs.
#pragma once

#include "admission/plugin.h"
#include "tabernetes/options.h"

namespace tabernetes::server {

// Returns whether the cluster runs the control loop that makes the ServiceAccounts of namespaces.
bool makes_accounts(const Options& options);

// Returns the default plugins as changed by the options. ServiceAccount is among the defaults where
// the cluster makes accounts.
admission::PluginSet chosen_plugins(const Options& options);

}  // namespace tabernetes::server
