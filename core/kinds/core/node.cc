// Node.
// Source: upstream 1.36 pkg/apis/core/validation.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/go/text.h"
#include "base/net/ip_address.h"
#include "base/text/ascii.h"
#include "base/text/parts.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"
#include "kinds/row/kind.h"
#include "kinds/shared/addresses.h"
#include "kinds/shared/resource_names.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"
#include "registry/meta/conditions.h"
#include "rules/formats.h"
#include "rules/internal_form.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kNodeRules, R"(
on create update
 @taints
 @node-resources
 status.declaredFeatures @declared-features
 spec.podCIDRs @pod-cidrs
on update status
 @node-resources
 status.declaredFeatures @declared-features
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

TAB_RULES(kTaintRules, R"(
key is:qualified
value is:joined-label-value
effect required enum:NoSchedule,PreferNoSchedule,NoExecute
)");

TAB_RULES(kKubeletConfigRules, R"(
namespace required is:label
name required is:subdomain
kubeletConfigKey required is:config-key
)");

TAB_RULES(kConfigStatusRules, R"(
configMap given
 uid required
 resourceVersion required
 &kubelet-config
)");

namespace {

using json::Arena;
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

// Upstream's path contains metadata.
void taints(const Place& place) {
  const Field metadata = place.now["metadata"];
  const Field spec = place.now["spec"];
  const Field list = metadata.as("taints", spec["taints"]);
  for (const Field taint : list.items()) {
    kTaintRules.check({taint, nullptr, place.write, place.root});
    for (std::uint32_t i = 0; i < taint.index(); ++i) {
      const Value& other = list.value()->items()[i];
      if (other.string_at("key") != taint.text_at("key") ||
          other.string_at("effect") != taint.text_at("effect")) {
        continue;
      }
      taint.duplicate_as(print_internal(taint, "core.v1.Taint") +
                         ": taints must be unique by key and effect pair");
      break;
    }
  }
}

void node_resources(const Place& place) {
  const Field status = place.now["status"];
  for (const std::string_view name : {"capacity", "allocatable"}) {
    const Field map = status[name];
    if (map.empty()) continue;
    for (const Field item : map.items()) {
      check_resource_amount(map.as(item.name(), item), item.name());
    }
  }
}

constexpr std::size_t kLongestFeature = 253;

// Upstream's pattern: ^[A-Z][a-zA-Z0-9]*(/[a-zA-Z][a-zA-Z0-9]*)*$
bool is_feature_name(std::string_view name) {
  if (name.empty() || !is_upper(name.front())) return false;
  const std::vector<std::string_view> parts = split(name, '/');
  return std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
    return !part.empty() && is_letter(part.front()) &&
           std::all_of(part.begin(), part.end(), is_letter_or_digit);
  });
}

void declared_features(const Place& place) {
  std::string_view before;
  for (const Field feature : place.now.items()) {
    const std::string_view name = feature.text();
    if (feature.index() > 0 && name == before) feature.duplicate();
    if (feature.index() > 0 && name < before) {
      feature.invalid("list must be sorted alphabetically");
    }
    before = name;
    const std::string shown = "invalid feature name " + go_quote(name);
    if (name.size() > kLongestFeature) {
      feature.invalid(shown + ": must be no more than 253 characters");
    } else if (!is_feature_name(name)) {
      feature.invalid(shown +
                      ": must start with an UpperCamelCase segment, with subsequent segments "
                      "separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain "
                      "only alphanumeric characters and slashes");
    }
  }
}

void pod_cidrs(const Place& place) {
  const Field& list = place.now;
  bool v4 = false;
  bool v6 = false;
  for (const Field item : list.items()) {
    item.invalid(cidr_format(item.capabilities())(item.text()));
    if (const auto range = parse_ip_range(item.text())) (range->address.v4 ? v4 : v6) = true;
  }
  if (list.size() > 1 && (!v4 || !v6 || list.size() > 2)) {
    list.invalid("may specify no more than one CIDR for each IP family");
  }
}

void node_change(const Place& place) {
  const Field spec = place.now["spec"];
  const Field now = spec["podCIDRs"];
  const Value* old = place.old->at({"spec", "podCIDRs"});
  constexpr std::string_view kKept =
      "node updates may not change podCIDR except from \"\" to valid";
  if (old != nullptr && old->size() > 0) {
    if (old->size() != now.size()) {
      now.forbidden(kKept);
    } else {
      for (std::uint32_t i = 0; i < now.size(); ++i) {
        if (!json::deep_equal(now.value()->items()[i], old->items()[i])) now.forbidden(kKept);
      }
    }
  }
  const Value* provider = place.old->at({"spec", "providerID"});
  const Field id = spec["providerID"];
  if (provider != nullptr && id.text() != provider->as_string()) {
    id.forbidden("node updates may not change providerID except from \"\" to valid");
  }
}

// podCIDR and podCIDRs[0] are the same field; podCIDR wins. `allocatable` defaults to `capacity`.
void set_node_defaults(const HookContext& context, Value& object) {
  Arena& arena = context.arena;
  Value& spec = object_or_new(object, "spec", arena);
  const std::string_view range = spec.string_at("podCIDR");
  const auto ranges = items_in(spec, "podCIDRs");
  if (!range.empty() && (ranges.empty() || ranges[0].as_string() != range)) {
    Value list = Value::array(arena);
    list.push_back(arena, Value::string(range));
    spec.set(arena, "podCIDRs", list);
  } else if (range.empty() && !ranges.empty()) {
    spec.set(arena, "podCIDR", Value(ranges[0]));
  }
  Value* status = object_in(object, "status");
  if (status == nullptr || object_in(*status, "capacity") == nullptr) return;
  fill(*status, "allocatable", status->find("capacity")->clone(arena), arena);
}

// The kubelet's dynamic configuration is removed; what is stored of it stays.
void prepare_node_for_create(const HookContext&, Value& node) {
  if (Value* spec = object_in(node, "spec")) spec->erase("configSource");
  if (Value* status = object_in(node, "status")) status->erase("config");
}

void prepare_node_for_update(const HookContext&, Value& node, const Value& old) {
  Value* spec = object_in(node, "spec");
  if (spec != nullptr && old.at({"spec", "configSource"}) == nullptr) spec->erase("configSource");
}

void prepare_node_subresource(const HookContext&, Subresource subresource, Value& node,
                              const Value& old) {
  Value* status = object_in(node, "status");
  if (subresource == Subresource::kStatus && status != nullptr &&
      old.at({"status", "config"}) == nullptr) {
    status->erase("config");
  }
}

void warn_of_node(const Field& object, const Value*, Warnings& out) {
  const Field spec = object["spec"];
  if (spec.has("configSource")) out.add({"spec.configSource: the feature is removed"});
  if (!spec.text_at("externalID").empty()) {
    out.add({"spec.externalID: this field is deprecated, and is unused by Kubernetes"});
  }
  warn_of_cidrs(spec["podCIDRs"], out);
}

}  // namespace

extern const NamedCheck kNodeChecks[] = {
    {"taints", &taints},
    {"node-resources", &node_resources},
    {"declared-features", &declared_features},
    {"pod-cidrs", &pod_cidrs},
    {"node-change", &node_change},
};

extern const Kind kNodeKind{.group = "",
                            .kind = "Node",
                            .strategy = {.meta_passes = {"CF", "CFUF", "UF"},
                                         .etcd_path = "minions",
                                         .keeps_status_on_create = true,
                                         .set_defaults = &set_node_defaults,
                                         .prepare_for_create = &prepare_node_for_create,
                                         .prepare_for_update = &prepare_node_for_update,
                                         .prepare_subresource = &prepare_node_subresource,
                                         .warnings = &warn_of_node},
                            .rules = &kNodeRules,
                            .print = &print_node};

}  // namespace tabernetes::registry::kinds
