#include "tabernetes/admission_plugins.h"

#include "server/cluster/admission_plugins.h"

namespace tabernetes {

bool is_admission_plugin(std::string_view name) { return registry::plugin_named(name).has_value(); }

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
