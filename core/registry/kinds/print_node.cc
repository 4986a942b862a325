// Cells of what runs pods. Upstream 1.36: printers/internalversion/printers.go.
#include <set>
#include <string>

#include "base/parts.h"
#include "json/access.h"
#include "registry/conditions.h"
#include "registry/kinds/printers.h"
#include "registry/table/cell_text.h"
#include "registry/table/row.h"

namespace tabernetes::registry {
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

}  // namespace

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

void print_component_status(const Value& object, Row& row) {
  const Value* healthy = nullptr;
  for (const Value& condition : items_at(object, {"conditions"})) {
    if (healthy == nullptr && condition.string_at("type") == "Healthy") healthy = &condition;
  }
  row.name(object);
  if (healthy == nullptr) {
    row.text("Unknown");
    row.text("");
    row.text("");
    return;
  }
  row.text(healthy->string_at("status") == "True" ? "Healthy" : "Unhealthy");
  row.text(healthy->string_at("message"));
  row.text(healthy->string_at("error"));
}

void print_runtime_class(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"handler"}));
  row.age(object);
}

}  // namespace tabernetes::registry
