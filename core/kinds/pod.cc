#include "kinds/pod.h"

#include <initializer_list>
#include <string_view>

#include "json/access.h"
#include "registry/meta/conditions.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Arena;
using json::Value;

// The resources of a container: any at all, and whether its limits equal its requests throughout.
struct Asks {
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
Asks resource_use_of(const Value& container) {
  const Value* requests = container.at({"resources", "requests"});
  const Value* limits = container.at({"resources", "limits"});
  Asks asks;
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
void merge_all_label_keys(Value& pod, Arena& arena) {
  const Value* labels = pod.at({"metadata", "labels"});
  Value* spec = object_in(pod, "spec");
  if (labels == nullptr || spec == nullptr) return;
  for (Value& constraint : items_in(*spec, "topologySpreadConstraints")) {
    merge_label_keys(*labels, constraint, "matchLabelKeys", "In", arena);
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

}  // namespace

std::string_view quality_of_service(const Value& object) {
  const Value* spec = object.find("spec");
  if (spec != nullptr &&
      (spec->at({"resources", "requests"}) || spec->at({"resources", "limits"}))) {
    const Asks asks = resource_use_of(*spec);
    return !asks.any ? "BestEffort" : asks.guaranteed ? "Guaranteed" : "Burstable";
  }
  bool any = false;
  bool guaranteed = true;
  for (const std::string_view list : {"containers", "initContainers"}) {
    const Value* containers = object.at({"spec", list});
    if (containers == nullptr || !containers->is_array()) continue;
    for (const Value& container : containers->items()) {
      const Asks asks = resource_use_of(container);
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
  merge_all_label_keys(object, context.arena);
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

}  // namespace tabernetes::registry::kinds
