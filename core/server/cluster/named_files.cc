// The files that the configurations of a cluster name.

#include <string>
#include <utility>
#include <vector>

#include "auth/authentication_configuration.h"
#include "auth/authorization_configuration.h"
#include "server/cluster/admission_plugins.h"
#include "tabernetes/options.h"

namespace tabernetes {

std::vector<std::string> missing_files(const Options& options) {
  std::vector<std::string> kubeconfigs = auth::kubeconfigs_of(options);
  admission::PluginSettings plugins;
  (void)admission::read_plugin_settings(options.admission_configuration, options.files, plugins);
  if (plugins.image_policy) kubeconfigs.push_back(plugins.image_policy->kubeconfig);

  std::vector<std::string> missing;
  for (std::string& path : auth::key_files_of(options)) {
    if (!options.files.contains(path)) missing.push_back(std::move(path));
  }
  const auto add = [&](const std::string& path, registry::UsersWanted users) {
    if (path.empty()) return;
    for (std::string& each : registry::files_of_kubeconfig(path, options.files, users)) {
      missing.push_back(std::move(each));
    }
  };
  for (const std::string& path : kubeconfigs) add(path, registry::UsersWanted::kCurrent);
  for (const auto& callers : {plugins.mutating_callers, plugins.validating_callers}) {
    if (callers) add(callers->kubeconfig, registry::UsersWanted::kAll);
  }
  return missing;
}

}  // namespace tabernetes
