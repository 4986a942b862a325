// LimitPodHardAntiAffinityTopology: a pod may keep others off its node, but not off more. Source:
// upstream 1.36 plugin/pkg/admission/antiaffinity.

#include <string>

#include "admission/plugins.h"
#include "json/access.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {

using json::Value;

Result<void> check_anti_affinity(const AdmissionRequest& request, PluginState&) {
  constexpr std::string_view kHostname = "kubernetes.io/hostname";
  for (const Value& term :
       items_at(request.object, {"spec", "affinity", "podAntiAffinity",
                                 "requiredDuringSchedulingIgnoredDuringExecution"})) {
    const std::string_view key = term.string_at("topologyKey");
    if (key == kHostname) continue;
    return errors::forbidden(
        request.type.group_resource(), text_at(request.object, {"metadata", "name"}),
        "affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey " + std::string(key) +
            " but only key " + std::string(kHostname) + " is allowed");
  }
  return {};
}

}  // namespace tabernetes::admission
