// PodNodeSelector: pods get the node selector in an annotation of their namespace, or the default
// of the configuration, which may also restrict them. Source: upstream 1.36
// plugin/pkg/admission/podnodeselector.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "admission/plugin_state.h"
#include "admission/plugins.h"
#include "base/text/parts.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {
namespace {

using json::Value;

constexpr std::string_view kNodeSelectorAnnotation = "scheduler.alpha.kubernetes.io/node-selector";
constexpr std::string_view kBlanks = " \t\n\r\v\f";

// Reads "a=b,c=d" as labels.ConvertSelectorToLabelsMap does.
Result<std::vector<std::pair<std::string_view, std::string_view>>> read_labels(
    std::string_view text) {
  std::vector<std::pair<std::string_view, std::string_view>> labels;
  if (text.empty()) return labels;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == part.npos || part.find('=', equals + 1) != part.npos) {
      return errors::plain_error("invalid selector: " + std::string(part));
    }
    labels.emplace_back(trim(part.substr(0, equals), kBlanks),
                        trim(part.substr(equals + 1), kBlanks));
  }
  return labels;
}

}  // namespace

Result<void> set_node_selector(const AdmissionRequest& request, PluginState& state) {
  json::Arena& arena = request.context.arena;
  const Value ns = request.registry.find_object({"", "v1", "namespaces"}, {}, request.ns, arena);
  if (!ns.is_object()) return errors::not_found({"", "namespaces"}, request.ns);
  const auto& configured = state.settings().node_selectors;
  const auto configured_for = [&](std::string_view name) -> std::string_view {
    const auto found = configured.find(name);
    return found == configured.end() ? std::string_view() : found->second;
  };
  const Value* annotation = ns.at({"metadata", "annotations", kNodeSelectorAnnotation});
  TAB_TRY(const auto labels,
          read_labels(annotation != nullptr ? text_of(*annotation)
                                            : configured_for("clusterDefaultNodeSelector")));
  TAB_TRY(const auto whitelist, read_labels(configured_for(request.ns)));
  if (labels.empty() && whitelist.empty()) return {};
  Value& selector = json::object_or_new(json::object_or_new(request.object, "spec", arena),
                                        "nodeSelector", arena);
  for (const auto& [key, value] : labels) {
    const Value* own = selector.find(key);
    if (own == nullptr || text_of(*own) == value) continue;
    return errors::forbidden(
        request.type.group_resource(), text_at(request.object, {"metadata", "name"}),
        "pod node label selector conflicts with its namespace node label selector");
  }
  for (const auto& [key, value] : labels) {
    selector.set(arena, arena.copy(key), Value::string(arena.copy(value)));
  }
  selector.sort_members();
  for (const json::Member& chosen : selector.members()) {
    const bool listed = std::any_of(whitelist.begin(), whitelist.end(), [&](const auto& label) {
      return label.first == chosen.key && label.second == text_of(chosen.value);
    });
    if (listed || whitelist.empty()) continue;
    return errors::forbidden(
        request.type.group_resource(), text_at(request.object, {"metadata", "name"}),
        "pod node label selector labels conflict with its namespace whitelist");
  }
  return {};
}

}  // namespace tabernetes::admission
