#include "server/cluster/admission_plugins.h"

#include <algorithm>
#include <string>
#include <vector>

#include "tabernetes/options.h"

namespace tabernetes {

Expected<void> check_admission_plugin(std::string_view name) {
  if (admission::find_plugin(name) != nullptr) return {};
  return Fault{"unknown admission plugin " + std::string(name)};
}

namespace server {

bool makes_accounts(const Options& options) {
  const std::vector<std::string>& names = options.controllers;
  return std::find(names.begin(), names.end(), "serviceaccount-controller") != names.end();
}

admission::PluginSet chosen_plugins(const Options& options) {
  admission::PluginSet plugins;
  // Without accounts every pod would be refused.
  if (!makes_accounts(options)) plugins.set("ServiceAccount", false);
  for (const std::string& name : options.enable_admission_plugins) plugins.set(name, true);
  for (const std::string& name : options.disable_admission_plugins) plugins.set(name, false);
  return plugins;
}

std::shared_ptr<const admission::PluginSettings> plugin_settings(const Options& options) {
  auto settings = std::make_shared<admission::PluginSettings>();
  if (!admission::read_plugin_settings(options.admission_configuration, options.files, *settings)) {
    return std::make_shared<const admission::PluginSettings>();
  }
  return settings;
}

}  // namespace server
}  // namespace tabernetes
