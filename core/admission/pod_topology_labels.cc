// PodTopologyLabels: copies the zone and region labels of the node to a pod that is bound to it, or
// created on it. Source: upstream 1.36 plugin/pkg/admission/podtopologylabels.

#include "admission/plugins.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/life/registry.h"
#include "registry/record/encoded_object.h"

namespace tabernetes::admission {
namespace {

using json::Value;

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
  const registry::ResourceType& nodes = *request.registry.resources().find("", "v1", "nodes");
  const store::RecordPtr node = request.registry.store().get(nodes.key({}, name));
  if (!node) return {};
  for (const std::string_view label : kTopologyLabels) {
    const auto value = registry::label_of(*node, label);
    if (!value) continue;
    object_or_new(object_or_new(request.object, "metadata", arena), "labels", arena)
        .set(arena, label, Value::string(arena.copy(*value)));
  }
  return {};
}

}  // namespace tabernetes::admission
