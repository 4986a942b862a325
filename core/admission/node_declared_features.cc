// NodeDeclaredFeatureValidator: the node of a pod declares the features that a change of the pod
// needs. Source: upstream 1.36 plugin/pkg/admission/nodedeclaredfeatures,
// component-helpers/nodedeclaredfeatures.

#include <algorithm>
#include <string>

#include "admission/plugins.h"
#include "admission/request.h"
#include "base/go/text.h"
#include "base/text/parts.h"
#include "json/access.h"
#include "json/equality.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {
namespace {

using json::Value;

bool is_sidecar(const Value& container) { return container.string_at("restartPolicy") == "Always"; }

bool differ(const Value* a, const Value* b) {
  const Value none;
  return !json::deep_equal(a == nullptr ? none : *a, b == nullptr ? none : *b);
}

bool changes_init_containers(const Value& pod, const Value& old) {
  const auto now = items_at(pod, {"spec", "initContainers"});
  const auto before = items_at(old, {"spec", "initContainers"});
  for (std::uint32_t i = 0; i < std::min(now.size(), before.size()); ++i) {
    if (!is_sidecar(before[i]) && differ(before[i].find("resources"), now[i].find("resources"))) {
      return true;
    }
  }
  return false;
}

bool changes_pod_resources(const Value& pod, const Value& old) {
  return differ(pod.at({"spec", "resources"}), old.at({"spec", "resources"}));
}

struct Feature {
  std::string_view name;
  bool (*needed)(const Value& pod, const Value& old);
};
constexpr Feature kFeatures[] = {
    {"InPlacePodLevelResourcesVerticalScaling", &changes_pod_resources},
    {"InPlacePodVerticalScalingInitContainers", &changes_init_containers},
};

}  // namespace

Result<void> check_declared_features(const AdmissionRequest& request, PluginState&) {
  if (!request.registry.gates().enabled("NodeDeclaredFeatures")) return {};
  const std::string_view name = text_at(request.object, {"spec", "nodeName"});
  if (name.empty() || request.old == nullptr || keeps_generation(request)) return {};
  const auto is_needed = [&](const Feature& feature) {
    return feature.needed(request.object, *request.old);
  };
  if (std::none_of(std::begin(kFeatures), std::end(kFeatures), is_needed)) return {};
  const Value node =
      request.registry.find_object({"", "v1", "nodes"}, {}, name, request.context.arena);
  if (!node.is_object()) return refusal(request, "node " + go_quote(name) + " not found");
  std::string lacking;
  for (const Feature& feature : kFeatures) {
    if (!is_needed(feature)) continue;
    const auto declared = items_at(node, {"status", "declaredFeatures"});
    const bool found = std::any_of(declared.begin(), declared.end(), [&](const Value& one) {
      return json::text_of(one) == feature.name;
    });
    if (!found) append_part(lacking, feature.name, ", ");
  }
  if (lacking.empty()) return {};
  return refusal(request, "pod update requires features " + lacking +
                              " which are not available on node " + go_quote(name));
}

}  // namespace tabernetes::admission
