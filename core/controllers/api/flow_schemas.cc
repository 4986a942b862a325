#include "controllers/api/flow_schemas.h"

#include "base/go/text.h"
#include "base/time/rfc3339.h"
#include "controllers/shared/applied.h"
#include "json/access.h"

namespace tabernetes::controllers {
namespace {

using json::Value;
using registry::ObjectReader;

constexpr std::string_view kGroup = "flowcontrol.apiserver.k8s.io";
constexpr ObjectReader::Resource kSchemas{kGroup, "v1", "flowschemas"};
constexpr ObjectReader::Resource kLevels{kGroup, "v1", "prioritylevelconfigurations"};

Value condition_of(const ReconcileContext& cluster, const Value& schema) {
  json::Arena& arena = cluster.arena;
  const std::string_view level = text_at(schema, {"spec", "priorityLevelConfiguration", "name"});
  const bool exists = cluster.registry.find_object(kLevels, {}, level, arena).is_object();
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
  add("lastTransitionTime", format_rfc3339(cluster.now));
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

void FlowSchemas::on_change(const registry::Registry&, const WatchEvent& change) {
  if (change.type.resource->group != kGroup) return;
  if (change.type.resource->plural == kSchemas.plural) {
    if (change.now != nullptr) queue_.add(change.name, change.due());
  } else if (change.before == nullptr || change.now == nullptr) {
    queue_.add("", change.due());
  }
}

void FlowSchemas::reconcile(const ReconcileContext& cluster, const std::string& name) {
  if (name.empty()) {
    cluster.registry.each_object(kSchemas, cluster.arena, [&](const Value& schema) {
      queue_.add(text_at(schema, {"metadata", "name"}), cluster.due);
    });
    return;
  }
  const registry::ObjectRef ref{
      cluster.registry.resources().find(kSchemas.group, kSchemas.version, kSchemas.plural),
      {},
      name};
  const Value schema = cluster.read(ref);
  if (schema.is_null()) return;
  const Value condition = condition_of(cluster, schema);
  if (says(schema, condition)) return;
  apply(cluster, ref, registry::Subresource::kStatus,
        "api-priority-and-fairness-config-consumer-v1",
        {"status", status_with(condition, cluster.arena)});
}

}  // namespace tabernetes::controllers
