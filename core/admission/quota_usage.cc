#include "admission/quota_usage.h"

#include <algorithm>

#include "base/algorithm/sort.h"
#include "base/time/rfc3339.h"
#include "json/access.h"
#include "registry/cells/row.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using registry::ResourceType;

bool is_core(const ResourceType& type, std::string_view plural) {
  return type.resource->group.empty() && type.resource->plural == plural;
}

// --- Pods

struct Measured {
  std::string_view resource, list, name;
};
// The quota names under which a pod's amounts count.
constexpr Measured kMeasured[] = {
    {"cpu", "requests", "cpu"},
    {"cpu", "requests", "requests.cpu"},
    {"cpu", "limits", "limits.cpu"},
    {"memory", "requests", "memory"},
    {"memory", "requests", "requests.memory"},
    {"memory", "limits", "limits.memory"},
    {"ephemeral-storage", "requests", "ephemeral-storage"},
    {"ephemeral-storage", "requests", "requests.ephemeral-storage"},
    {"ephemeral-storage", "limits", "limits.ephemeral-storage"},
};
constexpr std::string_view kHugePages = "hugepages-";
constexpr std::string_view kRequests = "requests.";

// Returns whether the name has a domain other than Kubernetes' own.
bool is_extended(std::string_view name) {
  return name.find('/') != std::string_view::npos && name.find("kubernetes.io/") == name.npos &&
         !name.starts_with(kRequests);
}

void add_amounts(const ResourceList& requests, const ResourceList& limits, ResourceList& usage) {
  for (const Measured& row : kMeasured) {
    const ResourceList& list = row.list == "limits" ? limits : requests;
    if (const Quantity* amount = list.find(row.resource)) usage.set(row.name, *amount);
  }
  for (const auto& [name, amount] : requests.entries()) {
    const bool huge = name.starts_with(kHugePages);
    if (huge) usage.set(name, amount);
    if (huge || is_extended(name)) usage.set(std::string(kRequests) + name, amount);
  }
}

// Returns false for a finished pod, and for one whose grace period is over.
bool is_charged(const Value& pod, Time now) {
  const std::string_view phase = text_at(pod, {"status", "phase"});
  if (phase == "Failed" || phase == "Succeeded") return false;
  const auto deleted = parse_rfc3339(text_at(pod, {"metadata", "deletionTimestamp"}));
  if (!deleted) return true;
  const std::int64_t grace = number_at(pod, {"metadata", "deletionGracePeriodSeconds"});
  return !(*deleted + Duration::from_seconds(grace) < now);
}

bool crosses_namespaces(const Value& pod) {
  for (const std::string_view kind : {"podAffinity", "podAntiAffinity"}) {
    for (const std::string_view list : {"requiredDuringSchedulingIgnoredDuringExecution",
                                        "preferredDuringSchedulingIgnoredDuringExecution"}) {
      for (const Value& item : items_at(pod, {"spec", "affinity", kind, list})) {
        const Value* weighted = item.find("podAffinityTerm");
        const Value& term = weighted == nullptr ? item : *weighted;
        if (items_in(term, "namespaces").size() > 0) return true;
        if (term.find("namespaceSelector") != nullptr) return true;
      }
    }
  }
  return false;
}

bool has_priority_class(const Value& selector, std::string_view priority_class) {
  const std::string_view op = selector.string_at("operator");
  if (op == "Exists" || op.empty()) return !priority_class.empty();
  if (op == "DoesNotExist") return priority_class.empty();
  bool listed = false;
  for (const Value& value : items_in(selector, "values")) {
    listed = listed || value.as_string() == priority_class;
  }
  return op == "In" ? listed : !listed;
}

bool pod_in_scope(const Value& selector, const Value& pod) {
  const std::string_view scope = selector.string_at("scopeName");
  const bool ends = pod.at({"spec", "activeDeadlineSeconds"}) != nullptr;
  const bool best_effort = text_at(pod, {"status", "qosClass"}) == "BestEffort";
  if (scope == "Terminating") return ends;
  if (scope == "NotTerminating") return !ends;
  if (scope == "BestEffort") return best_effort;
  if (scope == "NotBestEffort") return !best_effort;
  if (scope == "CrossNamespacePodAffinity") return crosses_namespaces(pod);
  if (scope != "PriorityClass") return false;
  return has_priority_class(selector, text_at(pod, {"spec", "priorityClassName"}));
}

bool measures_pods(std::string_view name) {
  if (name == "pods" || name == "count/pods") return true;
  for (const Measured& row : kMeasured) {
    if (row.name == name) return true;
  }
  if (name.starts_with(kHugePages)) return true;
  if (!name.starts_with(kRequests)) return false;
  name.remove_prefix(kRequests.size());
  return name.starts_with(kHugePages) || is_extended(name);
}

// --- Services and claims

Quantity count_of(std::int64_t n) { return Quantity::of(n); }

void add_service(const Value& service, ResourceList& usage) {
  const std::string_view type = text_at(service, {"spec", "type"});
  const json::Range<Value> ports = items_at(service, {"spec", "ports"});
  const bool balanced = type == "LoadBalancer";
  std::int64_t node_ports = balanced || type == "NodePort" ? ports.size() : 0;
  const Value* allocates = service.at({"spec", "allocateLoadBalancerNodePorts"});
  if (balanced && allocates != nullptr && allocates->is_bool() && !allocates->as_bool()) {
    node_ports = 0;
    for (const Value& port : ports) node_ports += port.find("nodePort") != nullptr ? 1 : 0;
  }
  usage.set("services", count_of(1));
  usage.set("services.nodeports", count_of(node_ports));
  usage.set("services.loadbalancers", count_of(balanced ? 1 : 0));
}

constexpr std::string_view kOfClass = ".storageclass.storage.k8s.io/";

void add_claim(const Value& claim, ResourceList& usage) {
  std::string_view name =
      text_at(claim, {"metadata", "annotations", "volume.beta.kubernetes.io/storage-class"});
  if (name.empty()) name = text_at(claim, {"spec", "storageClassName"});
  const std::string of_class = std::string(name) + std::string(kOfClass);
  usage.set("persistentvolumeclaims", count_of(1));
  if (!name.empty()) usage.set(of_class + "persistentvolumeclaims", count_of(1));
  const Value* storage = claim.at({"spec", "resources", "requests", "storage"});
  if (storage == nullptr) return;
  const Quantity amount = quantity_of(*storage);
  usage.set("requests.storage", amount);
  if (!name.empty()) usage.set(of_class + "requests.storage", amount);
}

bool measures_claims(std::string_view name) {
  if (const std::size_t at = name.find(kOfClass); at != std::string_view::npos) {
    name.remove_prefix(at + kOfClass.size());
  }
  return name == "persistentvolumeclaims" || name == "requests.storage";
}

// --- Object counts

std::string count_name(const ResourceType& type) {
  std::string name = "count/" + std::string(type.resource->plural);
  if (!type.resource->group.empty()) name += "." + std::string(type.resource->group);
  return name;
}

// Returns whether the kind is also counted without "count/", as a few old kinds are.
bool has_alias(const ResourceType& type) {
  for (const std::string_view plural :
       {"configmaps", "resourcequotas", "replicationcontrollers", "secrets"}) {
    if (is_core(type, plural)) return true;
  }
  return false;
}

}  // namespace

ResourceList quota_usage(const ResourceType& type, const Value& object, Time now) {
  ResourceList usage;
  usage.set(count_name(type), count_of(1));
  if (has_alias(type)) usage.set(type.resource->plural, count_of(1));
  if (is_core(type, "services")) add_service(object, usage);
  if (is_core(type, "persistentvolumeclaims")) add_claim(object, usage);
  if (is_core(type, "pods") && is_charged(object, now)) {
    usage.set("pods", count_of(1));
    add_amounts(pod_resources(object, "requests"), pod_resources(object, "limits"), usage);
  }
  return usage;
}

bool measures(const ResourceType& type, std::string_view name) {
  if (is_core(type, "pods")) return measures_pods(name);
  if (name == count_name(type)) return true;
  if (is_core(type, "services")) {
    return name == "services" || name == "services.nodeports" || name == "services.loadbalancers";
  }
  if (is_core(type, "persistentvolumeclaims")) return measures_claims(name);
  return has_alias(type) && name == type.resource->plural;
}

bool matches_scopes(const ResourceType& type, const Value& quota, const Value& object) {
  const bool pod = is_core(type, "pods");
  for (const Value& scope : items_at(quota, {"spec", "scopes"})) {
    json::Arena arena;
    Value selector = Value::object(arena);
    selector.append(arena, "scopeName", scope);
    if (!pod || !pod_in_scope(selector, object)) return false;
  }
  for (const Value& selector : items_at(quota, {"spec", "scopeSelector", "matchExpressions"})) {
    if (!pod || !pod_in_scope(selector, object)) return false;
  }
  return true;
}

std::string missing_requests(const Value& pod, const ResourceList& required) {
  // A pod with pod-level resources need not set them per container.
  for (const std::string_view list : {"requests", "limits"}) {
    if (!members_at(pod, {"spec", "resources", list}).empty()) return {};
  }
  std::string text;
  for (const auto& [name, ignored] : required.entries()) {
    const bool required_of_each = name == "cpu" || name == "memory" || name == "requests.cpu" ||
                                  name == "requests.memory" || name == "limits.cpu" ||
                                  name == "limits.memory";
    if (!required_of_each) continue;
    std::vector<std::string> containers;
    for (const std::string_view list : {"containers", "initContainers"}) {
      for (const Value& container : items_at(pod, {"spec", list})) {
        ResourceList usage;
        add_amounts(ResourceList(container.at({"resources", "requests"})),
                    ResourceList(container.at({"resources", "limits"})), usage);
        if (usage.find(name) == nullptr) containers.emplace_back(container.string_at("name"));
      }
    }
    if (containers.empty()) continue;
    sort_stable(containers);
    text += (text.empty() ? "" : "; ") + name + " for: ";
    for (std::size_t i = 0; i < containers.size(); ++i) text += (i > 0 ? "," : "") + containers[i];
  }
  return text;
}

}  // namespace tabernetes::admission
