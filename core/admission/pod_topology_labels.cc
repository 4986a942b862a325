// PodTopologyLabels: copies the zone and region labels of the node to a pod that is bound to it, or
// created on it. Source: upstream 1.36 plugin/pkg/admission/podtopologylabels.

#include "admission/plugins.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {
namespace {

using json::Value;

constexpr registry::ObjectReader::Resource kNodesRead{"", "v1", "nodes"};
constexpr std::string_view kTopologyLabels[] = {"topology.kubernetes.io/region",
                                                "topology.kubernetes.io/zone"};

}  // namespace

Result<void> copy_topology_labels(const AdmissionRequest& request, PluginState&) {
  json::Arena& arena = request.context.arena;
  if (!request.registry.hook_context(request.context).gates.enabled("PodTopologyLabelsAdmission")) {
    return {};
  }
  const bool binding = request.context.subresource == "binding";
  if (binding && json::text_at(request.object, {"target", "kind"}) != "Node") return {};
  const std::string_view name = binding ? json::text_at(request.object, {"target", "name"})
                                        : json::text_at(request.object, {"spec", "nodeName"});
  if (name.empty()) return {};
  const Value node = request.registry.find_object(kNodesRead, {}, name, arena);
  for (const std::string_view label : kTopologyLabels) {
    const Value* value = node.at({"metadata", "labels", label});
    if (value == nullptr) continue;
    object_or_new(object_or_new(request.object, "metadata", arena), "labels", arena)
        .set(arena, label, *value);
  }
  return {};
}

}  // namespace tabernetes::admission
