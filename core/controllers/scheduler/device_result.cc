#include "controllers/scheduler/device_result.h"

#include <algorithm>
#include <map>
#include <string>

#include "json/access.h"
#include "json/equality.h"

namespace tabernetes::controllers::scheduling {
namespace {

using json::Value;

Value name_of_request(const ChosenDevice& device, json::Arena& arena) {
  std::string name(device.request);
  if (!device.alternative.empty()) name.append("/").append(device.alternative);
  return Value::string(arena.copy(name));
}

Value result_of(const ChosenDevice& device, json::Arena& arena) {
  Value result = Value::object(arena);
  result.append(arena, "request", name_of_request(device, arena));
  result.append(arena, "driver", Value::string(device.id.driver));
  result.append(arena, "pool", Value::string(device.id.pool));
  result.append(arena, "device", Value::string(device.id.device));
  if (device.admin) result.append(arena, "adminAccess", Value::boolean(true));
  if (const Value* tolerations = device.wanted->find("tolerations")) {
    result.append(arena, "tolerations", *tolerations);
  }
  return result;
}

Value config_of(const Value& config, std::string_view source, const Value* requests,
                json::Arena& arena) {
  Value made = Value::object(arena);
  made.append(arena, "source", Value::string(source));
  if (requests != nullptr) made.append(arena, "requests", *requests);
  for (const json::Member& member : config.members()) {
    if (member.key != "requests") made.append(arena, member.key, member.value);
  }
  return made;
}

// Returns the chosen alternative of a request, or null if no device was chosen for it.
const ChosenDevice* chosen_for(std::string_view request, const std::vector<ChosenDevice>& devices) {
  const auto found = std::find_if(devices.begin(), devices.end(), [&](const ChosenDevice& device) {
    return device.request == request;
  });
  return found == devices.end() ? nullptr : &*found;
}

// Adds the configurations of classes: each once, with the requests of the class.
void add_class_configs(Value& configs, const Value& claim, const std::vector<ChosenDevice>& devices,
                       json::Arena& arena) {
  std::vector<const Value*> done;
  const auto requests = json::items_at(claim, {"spec", "devices", "requests"});
  for (const Value& request : requests) {
    const ChosenDevice* device = chosen_for(request.string_at("name"), devices);
    if (device == nullptr ||
        std::find(done.begin(), done.end(), device->device_class) != done.end()) {
      continue;
    }
    done.push_back(device->device_class);
    Value names = Value::array(arena);
    for (const Value& other : requests) {
      const ChosenDevice* same = chosen_for(other.string_at("name"), devices);
      if (same != nullptr && same->device_class == device->device_class) {
        names.push_back(arena, name_of_request(*same, arena));
      }
    }
    for (const Value& config : json::items_at(*device->device_class, {"spec", "config"})) {
      configs.push_back(arena, config_of(config, "FromClass", &names, arena));
    }
  }
}

void add_claim_configs(Value& configs, const Value& claim, const std::vector<ChosenDevice>& devices,
                       json::Arena& arena) {
  for (const Value& config : json::items_at(claim, {"spec", "devices", "config"})) {
    const Value* wanted = config.find("requests");
    if (wanted == nullptr || wanted->size() == 0) {
      configs.push_back(arena, config_of(config, "FromClaim", nullptr, arena));
      continue;
    }
    for (const Value& request : json::items_at(claim, {"spec", "devices", "requests"})) {
      const std::string_view name = request.string_at("name");
      const ChosenDevice* device = chosen_for(name, devices);
      const std::string whole = device == nullptr
                                    ? std::string()
                                    : std::string(name_of_request(*device, arena).as_string());
      const bool concerns = std::any_of(
          wanted->items().begin(), wanted->items().end(),
          [&](const Value& each) { return each.as_string() == name || each.as_string() == whole; });
      if (concerns) configs.push_back(arena, config_of(config, "FromClaim", wanted, arena));
    }
  }
}

void add_requirements(Value& all, const Value& term, std::string_view list, json::Arena& arena) {
  for (const Value& requirement : json::items_at(term, {list})) {
    if (all.find(list) == nullptr) all.set(arena, list, Value::array(arena));
    Value& known = *all.find(list);
    const bool there =
        std::any_of(known.items().begin(), known.items().end(),
                    [&](const Value& each) { return json::deep_equal(each, requirement); });
    if (!there) known.push_back(arena, requirement);
  }
}

Value selector_of(const Value& term, json::Arena& arena) {
  Value terms = Value::array(arena);
  terms.push_back(arena, term);
  Value selector = Value::object(arena);
  selector.append(arena, "nodeSelectorTerms", terms);
  return selector;
}

Value only_node(std::string_view node, json::Arena& arena) {
  Value names = Value::array(arena);
  names.push_back(arena, Value::string(arena.copy(node)));
  Value requirement = Value::object(arena);
  requirement.append(arena, "key", Value::string("metadata.name"));
  requirement.append(arena, "operator", Value::string("In"));
  requirement.append(arena, "values", names);
  Value fields = Value::array(arena);
  fields.push_back(arena, requirement);
  Value term = Value::object(arena);
  term.append(arena, "matchFields", fields);
  return selector_of(term, arena);
}

// Returns which nodes can use the devices; null: all.
Value selector_for(const std::vector<ChosenDevice>& devices, std::string_view node,
                   json::Arena& arena) {
  Value term = Value::object(arena);
  for (const ChosenDevice& device : devices) {
    const Value& spec = *device.slice->find("spec");
    const Value& selection =
        json::bool_at(spec, {"perDeviceNodeSelection"}) ? *device.device : spec;
    if (!selection.string_at("nodeName").empty() ||
        json::bool_at(*device.device, {"bindsToNode"})) {
      return only_node(node, arena);
    }
    const auto terms = json::items_at(selection, {"nodeSelector", "nodeSelectorTerms"});
    if (terms.empty()) continue;
    add_requirements(term, terms[0], "matchFields", arena);
    add_requirements(term, terms[0], "matchExpressions", arena);
  }
  return term.size() == 0 ? Value() : selector_of(term, arena);
}

}  // namespace

Value allocation_of(const Value& claim, const std::vector<ChosenDevice>& devices,
                    std::string_view node, json::Arena& arena) {
  Value results = Value::array(arena);
  for (const ChosenDevice& device : devices) results.push_back(arena, result_of(device, arena));
  Value configs = Value::array(arena);
  add_class_configs(configs, claim, devices, arena);
  add_claim_configs(configs, claim, devices, arena);
  Value chosen = Value::object(arena);
  if (results.size() > 0) chosen.append(arena, "results", results);
  if (configs.size() > 0) chosen.append(arena, "config", configs);
  Value allocation = Value::object(arena);
  allocation.append(arena, "devices", chosen);
  const Value selector = selector_for(devices, node, arena);
  if (!selector.is_null()) allocation.append(arena, "nodeSelector", selector);
  return allocation;
}

}  // namespace tabernetes::controllers::scheduling
