// HorizontalPodAutoscaler of autoscaling. Source: upstream 1.36 pkg/apis/autoscaling/validation.
#include <string>
#include <vector>

#include "base/text/parts.h"
#include "codec/json_reader.h"
#include "json/access.h"
#include "json/fill.h"
#include "kinds/autoscaling/autoscaler_conversion.h"
#include "kinds/row/kind.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kHorizontalPodAutoscalerRules, R"(
on create update
 spec
  @least-replicas
  @replica-bounds
  scaleTargetRef &scale-target @group-version
  metrics[] @metric
  ?minReplicas=0
   metrics @metrics-of-none
  behavior.scaleUp given &scaling-rules
  behavior.scaleDown given &scaling-rules
on status
 status.currentReplicas min:0
 status.desiredReplicas min:0
)");

namespace {

using json::Arena;
using json::Value;

constexpr ConvertedVersion kAutoscalerVersions[] = {
    {"v1",
     {"autoscaling", "v2", "horizontalpodautoscalers"},
     &autoscaling_v2_to_v1,
     &autoscaling_v1_to_v2}};

// Prints a missing quantity as Go prints a null pointer.
std::string quantity_text(const Value* quantity) {
  return quantity == nullptr || quantity->is_null() ? "<nil>" : scalar_text(quantity);
}

// Returns the source of a metric in the spec or the status; `metric` may be null.
const Value* source_of(const Value* metric, std::string_view source) {
  const Value* found = metric == nullptr ? nullptr : metric->find(source);
  return found == nullptr || found->is_null() ? nullptr : found;
}

std::string percent(const Value& metric, json::Path path, std::string_view fallback) {
  if (!has(metric, path)) return std::string(fallback);
  return std::to_string(number_at(metric, path)) + "%";
}

// `current` is null if the status has no such metric. `source` is "pods", "external", ...
std::string average_text(const Value& spec, const Value* current, std::string_view source) {
  const Value* now = source_of(current, source);
  return (now ? quantity_text(now->at({"current", "averageValue"})) : std::string(kUnknown)) + "/" +
         quantity_text(spec.at({source, "target", "averageValue"}));
}

std::string external_text(const Value& spec, const Value* current, std::string_view source) {
  const Value* now = source_of(current, source);
  if (has(spec, {source, "target", "averageValue"})) {
    if (now != nullptr && !has(*now, {"current", "averageValue"})) current = nullptr;
    return average_text(spec, current, source) + " (avg)";
  }
  return (now ? quantity_text(now->at({"current", "value"})) : std::string(kUnknown)) + "/" +
         quantity_text(spec.at({source, "target", "value"}));
}

std::string resource_text(const Value& spec, const Value* current, std::string_view source) {
  const std::string name(text_at(spec, {source, "name"}));
  if (has(spec, {source, "target", "averageValue"})) {
    return name + ": " + average_text(spec, current, source);
  }
  const std::string now =
      current ? percent(*current, {source, "current", "averageUtilization"}, kUnknown)
              : std::string(kUnknown);
  return name + ": " + now + "/" +
         percent(spec, {source, "target", "averageUtilization"}, "<auto>");
}

std::string metric_text(const Value& spec, const Value* current) {
  const std::string_view type = spec.string_at("type");
  if (type == "Pods") return average_text(spec, current, "pods");
  if (type == "External") return external_text(spec, current, "external");
  if (type == "Object") return external_text(spec, current, "object");
  if (type == "Resource") return resource_text(spec, current, "resource");
  if (type == "ContainerResource") return resource_text(spec, current, "containerResource");
  return "<unknown type>";
}

std::string targets_text(const Value& autoscaler) {
  constexpr std::size_t kShown = 2;
  const auto metrics = items_at(autoscaler, {"spec", "metrics"});
  if (metrics.empty()) return std::string(kNone);
  const auto current = items_at(autoscaler, {"status", "currentMetrics"});
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < metrics.size() && i < kShown; ++i) {
    texts.push_back(metric_text(metrics[i], i < current.size() ? &current[i] : nullptr));
  }
  std::string text = join(texts, ", ");
  if (metrics.size() > kShown) {
    text += " + " + std::to_string(metrics.size() - kShown) + " more...";
  }
  return text;
}

void print_horizontal_pod_autoscaler(const Value& object, Row& row) {
  row.name(object);
  row.text(std::string(text_at(object, {"spec", "scaleTargetRef", "kind"})) + "/" +
           std::string(text_at(object, {"spec", "scaleTargetRef", "name"})));
  row.text(targets_text(object));
  const std::string minimum = scalar_text(object.at({"spec", "minReplicas"}));
  row.text(minimum.empty() ? std::string(kUnset) : minimum);
  row.number(number_at(object, {"spec", "maxReplicas"}));
  row.number(number_at(object, {"status", "currentReplicas"}));
  row.age(object);
}

constexpr std::string_view kDefaultMetrics =
    R"([{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":80}}}])";
constexpr std::string_view kScaleUp =
    R"({"stabilizationWindowSeconds":0,"selectPolicy":"Max","policies":[{"type":"Pods","value":4,"periodSeconds":15},{"type":"Percent","value":100,"periodSeconds":15}]})";
constexpr std::string_view kScaleDown =
    R"({"selectPolicy":"Max","policies":[{"type":"Percent","value":100,"periodSeconds":15}]})";

// Fills in missing members of scaling rules.
void fill_rules(Value& behavior, std::string_view direction, std::string_view usual, Arena& arena) {
  Value& rules = object_or_new(behavior, direction, arena);
  const Value defaults = codec::read_json(usual, arena).value;
  for (const json::Member& member : defaults.members()) {
    fill(rules, member.key, member.value, arena);
  }
}

void set_autoscaler_defaults(const HookContext& context, Value& object) {
  Arena& arena = context.arena;
  Value& spec = object_or_new(object, "spec", arena);
  fill_int(spec, "minReplicas", 1, arena);
  if (object.string_at("apiVersion") == "autoscaling/v1") {
    // A round trip through the other version adds the defaults of its conversion.
    object = autoscaling_v2_to_v1(autoscaling_v1_to_v2(object, arena), arena);
    return;
  }
  if (items_in(spec, "metrics").empty()) {
    spec.set(arena, "metrics", codec::read_json(kDefaultMetrics, arena).value);
  }
  Value* behavior = object_in(spec, "behavior");
  if (behavior == nullptr) return;
  fill_rules(*behavior, "scaleUp", kScaleUp, arena);
  fill_rules(*behavior, "scaleDown", kScaleDown, arena);
}

}  // namespace

extern const Kind kHorizontalPodAutoscalerKind{
    .group = "autoscaling",
    .kind = "HorizontalPodAutoscaler",
    .strategy = {.meta_passes = {"CF", "UF", "UF"}, .set_defaults = &set_autoscaler_defaults},
    .rules = &kHorizontalPodAutoscalerRules,
    .print = &print_horizontal_pod_autoscaler,
    .converted_versions = kAutoscalerVersions};

}  // namespace tabernetes::registry::kinds
