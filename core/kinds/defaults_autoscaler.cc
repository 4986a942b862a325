#include "kinds/defaults_autoscaler.h"

#include "codec/json_reader.h"
#include "json/access.h"
#include "json/fill.h"
#include "kinds/convert_autoscaler.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Arena;
using json::Value;

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

}  // namespace

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

}  // namespace tabernetes::registry::kinds
