#include "registry/kinds/pod.h"

#include <initializer_list>
#include <string_view>

#include "registry/kinds/conditions.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

// What one container asks for: nothing, something, or limits that equal the requests throughout.
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

// Of a container, or of a spec that states resources for the whole pod.
Asks asks_of(const Value& container) {
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

}  // namespace

std::string_view quality_of_service(const Value& object) {
  const Value* spec = object.find("spec");
  if (spec != nullptr &&
      (spec->at({"resources", "requests"}) || spec->at({"resources", "limits"}))) {
    const Asks asks = asks_of(*spec);
    return !asks.any ? "BestEffort" : asks.guaranteed ? "Guaranteed" : "Burstable";
  }
  bool any = false;
  bool guaranteed = true;
  for (const std::string_view list : {"containers", "initContainers"}) {
    const Value* containers = object.at({"spec", list});
    if (containers == nullptr || !containers->is_array()) continue;
    for (const Value& container : containers->items()) {
      const Asks asks = asks_of(container);
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
  take_app_armor_annotations(context, object);
  const Value* gates = object.at({"spec", "schedulingGates"});
  if (gates == nullptr || gates->size() == 0) return;
  set_condition(context, *status,
                {.type = "PodScheduled",
                 .status = "False",
                 .reason = "SchedulingGated",
                 .message = "Scheduling is blocked due to non-empty scheduling gates"});
}

}  // namespace tabernetes::registry::kinds
