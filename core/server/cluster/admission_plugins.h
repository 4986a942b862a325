// The admission plugins that a cluster runs.
#pragma once

#include <memory>

#include "admission/plugin.h"
#include "admission/plugin_settings.h"
#include "tabernetes/options.h"

namespace tabernetes::server {

// Returns whether the cluster runs the control loop that makes the ServiceAccounts of namespaces.
bool makes_accounts(const Options& options);

// Returns the default plugins as changed by the options. ServiceAccount is among the defaults where
// the cluster makes accounts.
admission::PluginSet chosen_plugins(const Options& options);

// Returns the configuration of plugins in the options; an unusable one is empty.
std::shared_ptr<const admission::PluginSettings> plugin_settings(const Options& options);

}  // namespace tabernetes::server
