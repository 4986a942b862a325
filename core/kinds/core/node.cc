// Node.
// Source: upstream 1.36 pkg/apis/core/validation.
#include <set>
#include <string>

#include "base/text/parts.h"
#include "json/access.h"
#include "kinds/defaults_config.h"
#include "kinds/kinds.h"
#include "kinds/warn.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/meta/conditions.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kNodeRules, R"(
on create update
 @taints
 @node-resources
 spec.podCIDRs @pod-cidrs
on update status
 @node-resources
 status.addresses[] distinct=#core.v1.NodeAddress
 @node-change
 spec.configSource given
  ?-configMap
   . bad={"ConfigMap":null} "exactly one reference subfield must be non-nil"
  configMap given
   uid forbid "uid must not be set in spec"
   resourceVersion forbid "resourceVersion must not be set in spec"
   &kubelet-config
 status.config
  assigned given &config-status
  active given &config-status
  lastKnownGood given &config-status
 @taints
 spec.externalID immutable=forbid "may not be updated"
)");

namespace {

using json::Value;

std::string node_status(const Value& node) {
  const Value* ready = last_condition(node, "Ready");
  std::string text = ready == nullptr                       ? "Unknown"
                     : ready->string_at("status") == "True" ? "Ready"
                                                            : "NotReady";
  if (bool_at(node, {"spec", "unschedulable"})) text += ",SchedulingDisabled";
  return text;
}

std::string node_roles(const Value& node) {
  constexpr std::string_view kPrefix = "node-role.kubernetes.io/";
  std::set<std::string> roles;
  for (const json::Member& label : members_at(node, {"metadata", "labels"})) {
    if (label.key.starts_with(kPrefix) && label.key.size() > kPrefix.size()) {
      roles.emplace(label.key.substr(kPrefix.size()));
    } else if (label.key == "kubernetes.io/role" && label.value.is_string() &&
               !label.value.as_string().empty()) {
      roles.emplace(label.value.as_string());
    }
  }
  return roles.empty() ? std::string(kNone) : join(roles, ",");
}

std::string_view address_of_type(const Value& node, std::string_view type) {
  for (const Value& address : items_at(node, {"status", "addresses"})) {
    if (address.string_at("type") == type) return address.string_at("address");
  }
  return kNone;
}

std::string kernel_text(const Value& node) {
  const std::string_view version = text_at(node, {"status", "nodeInfo", "kernelVersion"});
  std::string text(version.empty() ? kUnknown : version);
  const std::string_view architecture = text_at(node, {"status", "nodeInfo", "architecture"});
  if (!architecture.empty()) text.append(" (").append(architecture).append(")");
  return text;
}

void print_node(const Value& object, Row& row) {
  row.name(object);
  row.text(node_status(object));
  row.text(node_roles(object));
  row.age(object);
  row.text(text_at(object, {"status", "nodeInfo", "kubeletVersion"}));
  row.text(address_of_type(object, "InternalIP"));
  row.text(address_of_type(object, "ExternalIP"));
  row.text_or(text_at(object, {"status", "nodeInfo", "osImage"}), kUnknown);
  row.text(kernel_text(object));
  row.text_or(text_at(object, {"status", "nodeInfo", "containerRuntimeVersion"}), kUnknown);
}

}  // namespace

const Kind kNodeKind{.group = "",
                     .kind = "Node",
                     .strategy = {.meta_passes = {"CF", "CFUF", "UF"},
                                  .etcd_path = "minions",
                                  .keeps_status_on_create = true,
                                  .set_defaults = &set_node_defaults,
                                  .warnings = &warn_of_node},
                     .rules = &kNodeRules,
                     .print = &print_node};

}  // namespace tabernetes::registry::kinds
