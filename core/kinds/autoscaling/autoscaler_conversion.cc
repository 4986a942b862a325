#include "kinds/autoscaling/autoscaler_conversion.h"

#include <string>

#include "base/text/ascii.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/fill.h"
#include "registry/meta/object_meta.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Member;
using json::Value;

constexpr std::string_view kMetrics = "autoscaling.alpha.kubernetes.io/metrics";
constexpr std::string_view kCurrentMetrics = "autoscaling.alpha.kubernetes.io/current-metrics";
constexpr std::string_view kConditions = "autoscaling.alpha.kubernetes.io/conditions";
constexpr std::string_view kBehavior = "autoscaling.alpha.kubernetes.io/behavior";
constexpr std::string_view kCpuTarget = "targetCPUUtilizationPercentage";
constexpr std::int64_t kDefaultCpuPercent = 80;  // percent, the default
constexpr std::string_view kCpuCurrent = "currentCPUUtilizationPercentage";

// The names of a metric's value: nested under `target` or `current` in v2, flat in v1.
struct ValueNames {
  std::string_view nested;  // "target"
  std::string_view prefix;  // "target": targetAverageValue ...
};
constexpr ValueNames kTarget{"target", "target"};
constexpr ValueNames kCurrent{"current", "current"};

// Returns the member for a metric's type: "Resource" has `resource`.
std::string_view source_name(std::string_view type) {
  if (type == "Resource") return "resource";
  if (type == "ContainerResource") return "containerResource";
  if (type == "Pods") return "pods";
  if (type == "Object") return "object";
  if (type == "External") return "external";
  return {};
}

void copy(Value& to, const Value* from, std::string_view name, std::string_view as,
          json::Arena& arena) {
  const Value* value = from == nullptr ? nullptr : from->find(name);
  if (value != nullptr) to.set(arena, as, *value);
}

std::string_view joined(std::string_view prefix, std::string_view name, json::Arena& arena) {
  return arena.copy(std::string(prefix) + std::string(name));
}

// Converts a metric from v2's nested to v1's flat form.
Value flat_source(std::string_view type, const Value& source, const ValueNames& names,
                  json::Arena& arena) {
  Value flat = Value::object(arena);
  const Value* metric = source.find("metric");
  const Value* value = source.find(names.nested);
  copy(flat, &source, "describedObject", "target", arena);
  copy(flat, &source, "name", "name", arena);
  copy(flat, metric, "name", "metricName", arena);
  copy(flat, metric, "selector", type == "External" ? "metricSelector" : "selector", arena);
  // v1 always writes quantities that are not pointers, even if zero.
  const bool current = names.prefix == kCurrent.prefix;
  const bool resource = type == "Resource" || type == "ContainerResource";
  const std::string_view whole = joined(names.prefix, "Value", arena);
  copy(flat, value, "value", whole, arena);
  if (type == "Object" || (current && type == "External")) {
    fill(flat, whole, Value::string("0"), arena);
  }
  copy(flat, value, "averageUtilization", joined(names.prefix, "AverageUtilization", arena), arena);
  const std::string_view average = type == "Object" ? std::string_view("averageValue")
                                                    : joined(names.prefix, "AverageValue", arena);
  copy(flat, value, "averageValue", average, arena);
  if (type == "Pods" || (current && resource)) fill(flat, average, Value::string("0"), arena);
  copy(flat, &source, "container", "container", arena);
  return flat;
}

// Converts a metric from v1's flat to v2's nested form.
Value nested_source(std::string_view type, const Value& flat, const ValueNames& names,
                    json::Arena& arena) {
  Value source = Value::object(arena);
  Value value = Value::object(arena);
  Value metric = Value::object(arena);
  copy(metric, &flat, "metricName", "name", arena);
  copy(metric, &flat, type == "External" ? "metricSelector" : "selector", "selector", arena);
  copy(value, &flat, joined(names.prefix, "Value", arena), "value", arena);
  copy(value, &flat, joined(names.prefix, "AverageUtilization", arena), "averageUtilization",
       arena);
  copy(value, &flat,
       type == "Object" ? std::string_view("averageValue")
                        : joined(names.prefix, "AverageValue", arena),
       "averageValue", arena);
  if (names.nested == "target") {
    const bool utilization = value.find("averageUtilization") != nullptr;
    const bool average = value.find("averageValue") != nullptr;
    value.set(arena, "type",
              Value::string(utilization ? "Utilization"
                            : average   ? "AverageValue"
                                        : "Value"));
  }
  if (type == "Object") copy(source, &flat, "target", "describedObject", arena);
  copy(source, &flat, "name", "name", arena);
  copy(source, &flat, "container", "container", arena);
  if (metric.size() > 0) source.set(arena, "metric", metric);
  source.set(arena, names.nested, value);
  return source;
}

using ConvertSource = Value (*)(std::string_view, const Value&, const ValueNames&, json::Arena&);

// Returns the metrics with each source converted.
Value converted_metrics(const Value& metrics, ConvertSource convert, const ValueNames& names,
                        json::Arena& arena) {
  Value result = Value::array(arena);
  for (const Value& metric : metrics.items()) {
    const std::string_view type = metric.string_at("type");
    const std::string_view member = source_name(type);
    const Value* source = member.empty() ? nullptr : metric.find(member);
    if (source == nullptr || !source->is_object()) continue;
    Value entry = Value::object(arena);
    entry.append(arena, "type", Value::string(type));
    entry.append(arena, member, convert(type, *source, names, arena));
    result.push_back(arena, entry);
  }
  return result;
}

// Returns the utilization that v1 has as a member: the CPU's; null for another metric.
const Value* cpu_utilization(const Value& metric, const ValueNames& names) {
  const Value* resource = metric.find("resource");
  if (metric.string_at("type") != "Resource" || resource == nullptr) return nullptr;
  if (resource->string_at("name") != "cpu") return nullptr;
  return resource->at({names.nested, "averageUtilization"});
}

Value cpu_metric(const Value& utilization, const ValueNames& names, json::Arena& arena) {
  Value value = Value::object(arena);
  if (names.nested == "target") value.append(arena, "type", Value::string("Utilization"));
  value.append(arena, "averageUtilization", utilization);
  Value resource = Value::object(arena);
  resource.append(arena, "name", Value::string("cpu"));
  resource.append(arena, names.nested, value);
  Value metric = Value::object(arena);
  metric.append(arena, "type", Value::string("Resource"));
  metric.append(arena, "resource", resource);
  return metric;
}

void annotate(Value& object, std::string_view key, const Value& value, json::Arena& arena) {
  ObjectMeta meta(object, arena);
  Value* annotations = meta.tree().find("annotations");
  if (annotations == nullptr) {
    meta.tree().set(arena, "annotations", Value::object(arena));
    annotations = meta.tree().find("annotations");
  }
  annotations->set(arena, key, Value::string(arena.copy(codec::json_text(value))));
}

// Removes the annotation and returns its value; null if it is missing or invalid JSON.
Value take_annotation(Value& object, std::string_view key, json::Arena& arena) {
  ObjectMeta meta(object, arena);
  Value* annotations = meta.tree().find("annotations");
  const Value* text = annotations == nullptr ? nullptr : annotations->find(key);
  if (text == nullptr || !text->is_string()) return Value();
  const codec::JsonRead read = codec::read_json(text->as_string(), arena);
  annotations->erase(key);
  return read.ok() ? read.value : Value();
}

// Converts v2's list of metrics to v1's member and an annotation. For current metrics, the
// annotation contains all of them.
void flatten_metrics(Value& object, Value& part, std::string_view list, std::string_view cpu,
                     std::string_view annotation, const ValueNames& names, json::Arena& arena) {
  const Value* metrics = part.find(list);
  if (metrics == nullptr || !metrics->is_array()) {
    part.erase(list);
    return;
  }
  Value others = Value::array(arena);
  Value utilization;
  for (const Value& metric : metrics->items()) {
    const Value* found = cpu_utilization(metric, names);
    if (found != nullptr) utilization = *found;
    if (found == nullptr || names.nested == kCurrent.nested) others.push_back(arena, metric);
  }
  part.erase(list);
  if (!utilization.is_null()) part.set(arena, cpu, utilization);
  if (others.size() > 0) {
    annotate(object, annotation, converted_metrics(others, &flat_source, names, arena), arena);
  }
}

void unflatten_metrics(Value& object, Value& part, std::string_view list, std::string_view cpu,
                       std::string_view annotation, const ValueNames& names, json::Arena& arena) {
  const Value others = take_annotation(object, annotation, arena);
  Value metrics = others.is_array() ? converted_metrics(others, &nested_source, names, arena)
                                    : Value::array(arena);
  const Value* utilization = part.find(cpu);
  const bool repeats = names.nested == kCurrent.nested && others.is_array();
  if (utilization != nullptr && !repeats) {
    metrics.push_back(arena, cpu_metric(*utilization, names, arena));
  }
  part.erase(cpu);
  if (metrics.size() > 0) part.set(arena, list, metrics);
}

// The annotation for `behavior` contains upstream's internal struct: Go's names, and all members.
constexpr std::string_view kDirections[] = {"scaleUp", "scaleDown"};
constexpr std::string_view kRules[] = {"stabilizationWindowSeconds", "selectPolicy", "policies",
                                       "tolerance"};
constexpr std::string_view kPolicy[] = {"type", "value", "periodSeconds"};

std::string_view go_name(std::string_view name, json::Arena& arena) {
  std::string text(name);
  text[0] = ascii_upper(text[0]);
  return arena.copy(text);
}

template <typename Names, typename ConvertMember>
Value with_go_names(const Value* object, const Names& names, json::Arena& arena,
                    const ConvertMember& convert) {
  if (object == nullptr || !object->is_object()) return Value::null();
  Value result = Value::object(arena);
  for (const std::string_view name : names) {
    result.append(arena, go_name(name, arena), convert(name, object->find(name)));
  }
  return result;
}

Value go_behavior(const Value& behavior, json::Arena& arena) {
  const auto as_it_is = [](std::string_view, const Value* value) {
    return value == nullptr ? Value::null() : *value;
  };
  const auto rule = [&](std::string_view name, const Value* value) {
    if (name != "policies" || value == nullptr || !value->is_array()) return as_it_is(name, value);
    Value policies = Value::array(arena);
    for (const Value& policy : value->items()) {
      policies.push_back(arena, with_go_names(&policy, kPolicy, arena, as_it_is));
    }
    return policies;
  };
  return with_go_names(&behavior, kDirections, arena, [&](std::string_view, const Value* rules) {
    return with_go_names(rules, kRules, arena, rule);
  });
}

// Restores JSON names. Case-insensitive, as Go decodes structs.
Value with_json_names(const Value& value, json::Arena& arena) {
  if (value.is_array()) {
    Value items = Value::array(arena);
    for (const Value& item : value.items()) items.push_back(arena, with_json_names(item, arena));
    return items;
  }
  if (!value.is_object()) return value;
  Value result = Value::object(arena);
  for (const Member& member : value.members()) {
    const auto take = [&](const auto& names) {
      for (const std::string_view name : names) {
        if (ascii_lower(name) != ascii_lower(member.key) || member.value.is_null()) continue;
        result.set(arena, name, with_json_names(member.value, arena));
      }
    };
    take(kDirections);
    take(kRules);
    take(kPolicy);
  }
  return result;
}

// Moves a member of v2 to the annotation that holds it in v1.
void move_to_annotation(Value& object, Value& part, std::string_view member,
                        std::string_view annotation, json::Arena& arena) {
  const Value* value = part.find(member);
  if (value != nullptr && value->size() > 0) annotate(object, annotation, *value, arena);
  part.erase(member);
}

void move_from_annotation(Value& object, Value& part, std::string_view member,
                          std::string_view annotation, json::Arena& arena) {
  const Value value = take_annotation(object, annotation, arena);
  if (!value.is_null()) part.set(arena, member, value);
}

}  // namespace

Value autoscaling_v2_to_v1(const Value& stored, json::Arena& arena) {
  Value object = stored.clone(arena);
  object.set(arena, "apiVersion", Value::string("autoscaling/v1"));
  if (Value* spec = object.find("spec")) {
    flatten_metrics(object, *spec, "metrics", kCpuTarget, kMetrics, kTarget, arena);
    if (const Value* behavior = spec->find("behavior")) {
      annotate(object, kBehavior, go_behavior(*behavior, arena), arena);
      spec->erase("behavior");
    }
  }
  if (Value* status = object.find("status")) {
    flatten_metrics(object, *status, "currentMetrics", kCpuCurrent, kCurrentMetrics, kCurrent,
                    arena);
    move_to_annotation(object, *status, "conditions", kConditions, arena);
  }
  return object;
}

Value autoscaling_v1_to_v2(const Value& wanted, json::Arena& arena) {
  Value object = wanted.clone(arena);
  object.set(arena, "apiVersion", Value::string("autoscaling/v2"));
  Value& spec = object_or_new(object, "spec", arena);
  unflatten_metrics(object, spec, "metrics", kCpuTarget, kMetrics, kTarget, arena);
  if (spec.find("metrics") == nullptr) {
    Value usual = Value::array(arena);
    usual.push_back(arena, cpu_metric(Value::integer(kDefaultCpuPercent), kTarget, arena));
    spec.set(arena, "metrics", usual);
  }
  const Value behavior = with_json_names(take_annotation(object, kBehavior, arena), arena);
  if (behavior.size() > 0) spec.set(arena, "behavior", behavior);
  if (Value* status = object.find("status")) {
    unflatten_metrics(object, *status, "currentMetrics", kCpuCurrent, kCurrentMetrics, kCurrent,
                      arena);
    move_from_annotation(object, *status, "conditions", kConditions, arena);
  }
  return object;
}

}  // namespace tabernetes::registry::kinds
