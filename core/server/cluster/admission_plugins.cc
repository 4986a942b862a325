#include "server/cluster/admission_plugins.h"

#include "tabernetes/options.h"

namespace tabernetes {

Expected<void> check_admission_plugin(std::string_view name) {
  if (registry::plugin_named(name)) return {};
  return Fault{"unknown admission plugin " + std::string(name)};
}

namespace server {

registry::Plugins chosen_plugins(const Options& options) {
  registry::Plugins plugins;
  for (const std::string& name : options.enable_admission_plugins) {
    if (const auto plugin = registry::plugin_named(name)) plugins.set(*plugin, true);
  }
  for (const std::string& name : options.disable_admission_plugins) {
    if (const auto plugin = registry::plugin_named(name)) plugins.set(*plugin, false);
  }
  return plugins;
}

}  // namespace server
}  // namespace tabernetes
