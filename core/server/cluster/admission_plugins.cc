#include "server/cluster/admission_plugins.h"

#include "tabernetes/options.h"

namespace tabernetes {

Expected<void> check_admission_plugin(std::string_view name) {
  if (admission::find_plugin(name) != nullptr) return {};
  return Fault{"unknown admission plugin " + std::string(name)};
}

namespace server {

admission::PluginSet chosen_plugins(const Options& options) {
  admission::PluginSet plugins;
  for (const std::string& name : options.enable_admission_plugins) plugins.set(name, true);
  for (const std::string& name : options.disable_admission_plugins) plugins.set(name, false);
  return plugins;
}

}  // namespace server
}  // namespace tabernetes
