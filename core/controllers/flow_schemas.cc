#include "controllers/flow_schemas.h"

#include "base/go_text.h"
#include "base/rfc3339.h"
#include "controllers/applied.h"
#include "json/access.h"

namespace tabernetes::controllers {
namespace {

using json::Value;
using registry::ObjectReader;

constexpr std::string_view kGroup = "flowcontrol.apiserver.k8s.io";
constexpr ObjectReader::Resource kSchemas{kGroup, "v1", "flowschemas"};
constexpr ObjectReader::Resource kLevels{kGroup, "v1", "prioritylevelconfigurations"};

Value condition_of(const Turn& turn, const Value& schema) {
  json::Arena& arena = turn.arena;
  const std::string_view level = text_at(schema, {"spec", "priorityLevelConfiguration", "name"});
  const bool exists = turn.registry.find_object(kLevels, {}, level, arena).is_object();
  const std::string message =
      "This FlowSchema references the PriorityLevelConfiguration object "
      "named " +
      go_quote(level) + (exists ? " and it exists" : " but there is no such object");
  Value condition = Value::object(arena);
  const auto add = [&](std::string_view key, std::string_view text) {
    condition.append(arena, key, Value::string(arena.copy(text)));
  };
  add("type", "Dangling");
  add("status", exists ? "False" : "True");
  add("lastTransitionTime", format_rfc3339(turn.now));
  add("reason", exists ? "Found" : "NotFound");
  add("message", message);
  return condition;
}

bool says(const Value& schema, const Value& condition) {
  for (const Value& each : items_at(schema, {"status", "conditions"})) {
    if (each.string_at("type") != "Dangling") continue;
    return each.string_at("status") == condition.string_at("status") &&
           each.string_at("message") == condition.string_at("message");
  }
  return false;
}

// Returns a status with only the condition.
Value status_with(const Value& condition, json::Arena& arena) {
  Value conditions = Value::array(arena);
  conditions.push_back(arena, condition);
  Value status = Value::object(arena);
  status.append(arena, "conditions", conditions);
  return status;
}

}  // namespace

void FlowSchemas::observe(const registry::Registry&, const Change& change) {
  if (change.type.resource->group != kGroup) return;
  if (change.type.resource->plural == kSchemas.plural) {
    if (change.now != nullptr) queue_.add(change.name, change.due());
  } else if (change.before == nullptr || change.now == nullptr) {
    queue_.add("", change.due());
  }
}

void FlowSchemas::reconcile(const Turn& turn, const std::string& name) {
  if (name.empty()) {
    turn.registry.each_object(kSchemas, turn.arena, [&](const Value& schema) {
      queue_.add(text_at(schema, {"metadata", "name"}), turn.due);
    });
    return;
  }
  const registry::ObjectRef ref{
      turn.registry.resources().find(kSchemas.group, kSchemas.version, kSchemas.plural), {}, name};
  const Value schema = turn.read(ref);
  if (schema.is_null()) return;
  const Value condition = condition_of(turn, schema);
  if (says(schema, condition)) return;
  apply(turn, ref, registry::Part::kStatus, "api-priority-and-fairness-config-consumer-v1",
        {"status", status_with(condition, turn.arena)});
}

}  // namespace tabernetes::controllers
