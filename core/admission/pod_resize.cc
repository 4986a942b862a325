// PodResizeValidator: the node of a pod that is resized has room for it. Source: upstream 1.36
// plugin/pkg/admission/podresize.

#include <string>

#include "admission/plugins.h"
#include "admission/request.h"
#include "admission/resources.h"
#include "base/go/text.h"
#include "base/text/parts.h"
#include "json/access.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {
namespace {

using json::Value;

Failure refused_for(const AdmissionRequest& request, std::string_view why, std::string cause) {
  Failure failure = refusal(request, why);
  failure->details->causes.push_back({std::move(cause), {}, {}});
  return failure;
}

// Returns how the pod's requests exceed what the node can allocate; empty if they do not.
std::string excess(const Value& pod, const Value& node) {
  ResourceList requests = pod_resources(pod, "requests");
  requests.add(ResourceList(pod.at({"spec", "overhead"})));
  const ResourceList allocatable(node.at({"status", "allocatable"}));
  const Quantity zero;
  std::string parts;
  for (const std::string_view name : {"cpu", "memory"}) {
    const Quantity* wanted = requests.find(name);
    const Quantity* found = allocatable.find(name);
    const Quantity& most = found == nullptr ? zero : *found;
    if (wanted == nullptr || wanted->compare(most) <= 0) continue;
    const auto number = [&](const Quantity& amount) {
      return std::to_string(name == "cpu" ? amount.milli_value() : amount.value());
    };
    append_part(
        parts,
        std::string(name) + ", requested: " + number(*wanted) + ", allocatable: " + number(most),
        "; ");
  }
  return parts;
}

}  // namespace

Result<void> check_resize(const AdmissionRequest& request, PluginState&) {
  const std::string_view name = text_at(request.object, {"spec", "nodeName"});
  if (name.empty() || request.old == nullptr || keeps_generation(request)) return {};
  const Value node =
      request.registry.find_object({"", "v1", "nodes"}, {}, name, request.context.arena);
  if (!node.is_object()) return refusal(request, "node " + go_quote(name) + " not found");
  const Value* system = node.at({"metadata", "labels", "kubernetes.io/os"});
  if (system != nullptr && json::text_of(*system) != "linux") {
    return refused_for(request,
                       "pod resize is only supported on linux nodes, node " + go_quote(name) +
                           " is " + go_quote(json::text_of(*system)),
                       "UnsupportedPlatform");
  }
  const std::string parts = excess(request.object, node);
  if (parts.empty()) return {};
  return refused_for(request, "node didn't have enough allocatable resources: " + parts,
                     "NodeCapacity");
}

}  // namespace tabernetes::admission
