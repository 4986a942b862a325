#include "kinds/core/pod_create.h"

#include <optional>

#include "base/api/quantity.h"
#include "json/access.h"
#include "json/fill.h"
#include "kinds/pod_template/app_armor.h"
#include "kinds/pod_template/defaults.h"
#include "registry/meta/conditions.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Arena;
using json::Value;

// The resources of a container: any at all, and whether its limits equal its requests throughout.
struct ResourceUse {
  bool any = false;
  bool guaranteed = true;
};

bool is_zero_quantity(const Value& quantity) {
  return quantity.is_string() && quantity.as_string() == "0";
}

bool has_quantity(const Value* resources, std::string_view name) {
  const Value* quantity = resources == nullptr ? nullptr : resources->find(name);
  return quantity != nullptr && !is_zero_quantity(*quantity);
}

// `container` may also be a spec with pod-level resources.
ResourceUse resource_use_of(const Value& container) {
  const Value* requests = container.at({"resources", "requests"});
  const Value* limits = container.at({"resources", "limits"});
  ResourceUse asks;
  for (const std::string_view name : {"cpu", "memory"}) {
    if (has_quantity(requests, name) || has_quantity(limits, name)) asks.any = true;
    if (!has_quantity(limits, name)) {
      asks.guaranteed = false;
    } else if (has_quantity(requests, name) &&
               requests->string_at(name) != limits->string_at(name)) {
      asks.guaranteed = false;
    }
  }
  return asks;
}

// Adds the pod's labels for `keys` of `term` to the term's selector.
void merge_label_keys(const Value& labels, Value& term, std::string_view keys,
                      std::string_view operation, Arena& arena) {
  Value* selector = object_in(term, "labelSelector");
  if (selector == nullptr) return;
  for (const Value& key : items_in(term, keys)) {
    const Value* value = labels.find(key.as_string());
    if (value == nullptr) continue;
    Value values = Value::array(arena);
    values.push_back(arena, *value);
    Value requirement = Value::object(arena);
    requirement.append(arena, "key", key);
    requirement.append(arena, "operator", Value::string(operation));
    requirement.append(arena, "values", values);
    if (items_in(*selector, "matchExpressions").empty()) {
      selector->set(arena, "matchExpressions", Value::array(arena));
    }
    selector->find("matchExpressions")->push_back(arena, requirement);
  }
}

void merge_affinity_keys(const Value& labels, Value& term, Arena& arena) {
  merge_label_keys(labels, term, "matchLabelKeys", "In", arena);
  merge_label_keys(labels, term, "mismatchLabelKeys", "NotIn", arena);
}

// Does this for all terms. Source: upstream 1.36 pkg/registry/core/pod/strategy.go.
void merge_all_label_keys(const HookContext& context, Value& pod) {
  Arena& arena = context.arena;
  const Value* labels = pod.at({"metadata", "labels"});
  Value* spec = object_in(pod, "spec");
  if (labels == nullptr || spec == nullptr) return;
  if (context.gates.enabled("MatchLabelKeysInPodTopologySpreadSelectorMerge")) {
    for (Value& constraint : items_in(*spec, "topologySpreadConstraints")) {
      merge_label_keys(*labels, constraint, "matchLabelKeys", "In", arena);
    }
  }
  Value* affinity = object_in(*spec, "affinity");
  if (affinity == nullptr) return;
  for (const std::string_view name : {"podAffinity", "podAntiAffinity"}) {
    Value* terms = object_in(*affinity, name);
    if (terms == nullptr) continue;
    for (Value& weighted : items_in(*terms, "preferredDuringSchedulingIgnoredDuringExecution")) {
      Value* term = object_in(weighted, "podAffinityTerm");
      if (term != nullptr) merge_affinity_keys(*labels, *term, arena);
    }
    for (Value& term : items_in(*terms, "requiredDuringSchedulingIgnoredDuringExecution")) {
      merge_affinity_keys(*labels, term, arena);
    }
  }
}

constexpr std::string_view kContainerLists[] = {"containers", "initContainers"};

// Returns a copy of the requests in `resources`, since trees may be shared.
Value copied_requests(Value& resources, Arena& arena) {
  Value requests = Value::object(arena);
  if (const Value* given = object_in(resources, "requests")) {
    for (const json::Member& request : given->members()) {
      requests.append(arena, request.key, request.value);
    }
  }
  return requests;
}

// Sets missing requests to the limits.
void default_requests_to_limits(Value& container, Arena& arena) {
  Value* resources = object_in(container, "resources");
  const Value* limits = resources == nullptr ? nullptr : object_in(*resources, "limits");
  if (limits == nullptr || limits->size() == 0) return;
  Value requests = copied_requests(*resources, arena);
  for (const json::Member& limit : limits->members()) {
    fill(requests, limit.key, limit.value, arena);
  }
  requests.sort_members();
  resources->set(arena, "requests", requests);
}

bool is_pod_level_resource(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

// Returns the total of a resource for all containers; nullopt if no container requests it. Init
// containers run one after another before the others; restartable ones keep running. Source:
// upstream 1.36 k8s.io/component-helpers/resource, AggregateContainerRequests.
std::optional<Quantity> aggregate(const Value& spec, std::string_view list, std::string_view name) {
  const auto asked = [&](const Value& container) -> std::optional<Quantity> {
    const Value* amount = container.at({"resources", list, name});
    if (amount == nullptr || !amount->is_string()) return std::nullopt;
    std::string_view error;
    return Quantity::parse(amount->as_string(), error);
  };
  bool any = false;
  Quantity sum;
  for (const Value& container : items_in(spec, "containers")) {
    if (const auto amount = asked(container)) {
      sum.add(*amount);
      any = true;
    }
  }
  Quantity beside;
  Quantity most;
  for (const Value& container : items_in(spec, "initContainers")) {
    Quantity amount = asked(container).value_or(Quantity());
    any = any || asked(container).has_value();
    if (container.string_at("restartPolicy") == "Always") {
      sum.add(amount);
      beside.add(amount);
      amount = beside;
    } else {
      amount.add(beside);
    }
    if (most.compare(amount) < 0) most = amount;
  }
  if (!any) return std::nullopt;
  return sum.compare(most) < 0 ? most : sum;
}

// Sets missing pod-level requests of limited resources: the total of the containers, else the
// limit.
void set_pod_level_requests(Value& spec, Arena& arena) {
  Value* resources = object_in(spec, "resources");
  const Value* limits = resources == nullptr ? nullptr : object_in(*resources, "limits");
  if (limits == nullptr || limits->size() == 0) return;
  Value requests = copied_requests(*resources, arena);
  for (const json::Member& limit : limits->members()) {
    if (!is_pod_level_resource(limit.key) || requests.find(limit.key) != nullptr) continue;
    const auto together = aggregate(spec, "requests", limit.key);
    requests.append(
        arena, limit.key,
        together ? Value::string(arena.copy(together->to_string())) : Value(limit.value));
  }
  requests.sort_members();
  if (requests.size() > 0) resources->set(arena, "requests", requests);
}

void set_host_ports(Value& spec, Arena& arena) {
  const Value* host_network = spec.find("hostNetwork");
  if (host_network == nullptr || !host_network->is_bool() || !host_network->as_bool()) return;
  for (const std::string_view list : kContainerLists) {
    for (Value& container : items_in(spec, list)) {
      for (Value& port : items_in(container, "ports")) {
        if (const Value* number = port.find("containerPort"))
          fill(port, "hostPort", *number, arena);
      }
    }
  }
}

// Sets the single address and the first of the list to the same value; the single one wins.
void sync_first_address(Value& status, std::string_view single, std::string_view list,
                        Arena& arena) {
  const std::string_view address = status.string_at(single);
  const auto all = items_in(status, list);
  if (address.empty()) {
    if (!all.empty()) status.set(arena, single, Value::string(all[0].string_at("ip")));
  } else if (all.empty() || all[0].string_at("ip") != address) {
    Value first = Value::object(arena);
    first.append(arena, "ip", Value::string(address));
    Value only = Value::array(arena);
    only.push_back(arena, first);
    status.set(arena, list, only);
  }
}

}  // namespace

std::string_view quality_of_service(const Value& object) {
  const Value* spec = object.find("spec");
  if (spec != nullptr &&
      (spec->at({"resources", "requests"}) || spec->at({"resources", "limits"}))) {
    const ResourceUse asks = resource_use_of(*spec);
    return !asks.any ? "BestEffort" : asks.guaranteed ? "Guaranteed" : "Burstable";
  }
  bool any = false;
  bool guaranteed = true;
  for (const std::string_view list : {"containers", "initContainers"}) {
    const Value* containers = object.at({"spec", list});
    if (containers == nullptr || !containers->is_array()) continue;
    for (const Value& container : containers->items()) {
      const ResourceUse asks = resource_use_of(container);
      any = any || asks.any;
      guaranteed = guaranteed && asks.guaranteed;
    }
  }
  if (!any) return "BestEffort";
  return guaranteed ? "Guaranteed" : "Burstable";
}

void prepare_pod_for_create(const HookContext& context, Value& object) {
  Value* status = object.find("status");
  if (status == nullptr) return;
  status->set(context.arena, "qosClass", Value::string(quality_of_service(object)));
  merge_all_label_keys(context, object);
  copy_app_armor_annotations(context, object);
  const Value* gates = object.at({"spec", "schedulingGates"});
  if (gates == nullptr || gates->size() == 0) return;
  set_condition(*status,
                {.type = "PodScheduled",
                 .status = "False",
                 .reason = "SchedulingGated",
                 .message = "Scheduling is blocked due to non-empty scheduling gates"},
                context.now, context.arena);
}

void set_pod_defaults(const HookContext& context, Value& pod) {
  Arena& arena = context.arena;
  set_pod_template_defaults(pod, arena);
  Value& spec = object_or_new(pod, "spec", arena);
  // A pod's negative grace period becomes 1; a template's is kept.
  Value* grace = spec.find("terminationGracePeriodSeconds");
  if (grace != nullptr && grace->is_int() && grace->as_int() < 0) *grace = Value::integer(1);
  fill_bool(spec, "enableServiceLinks", true, arena);
  for (const std::string_view list : kContainerLists) {
    for (Value& container : items_in(spec, list)) default_requests_to_limits(container, arena);
  }
  set_pod_level_requests(spec, arena);
  set_host_ports(spec, arena);
  if (Value* status = object_in(pod, "status"))
    sync_first_address(*status, "podIP", "podIPs", arena);
}

}  // namespace tabernetes::registry::kinds
