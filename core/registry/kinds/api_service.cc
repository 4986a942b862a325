#include "registry/kinds/api_service.h"

#include "base/rfc3339.h"
#include "registry/kinds/fill.h"
#include "registry/kinds/row.h"

namespace tabernetes::registry::kinds {

using json::Value;

void prepare_api_service_for_create(const HookContext& context, Value& object) {
  json::Arena& arena = context.arena;
  if (has(object, {"spec", "service"})) return;
  Value condition = Value::object(arena);
  condition.append(arena, "type", Value::string("Available"));
  condition.append(arena, "status", Value::string("True"));
  condition.append(arena, "lastTransitionTime",
                   Value::string(arena.copy(format_rfc3339(context.now))));
  condition.append(arena, "reason", Value::string("Local"));
  condition.append(arena, "message", Value::string("Local APIServices are always available"));
  Value conditions = Value::array(arena);
  conditions.push_back(arena, condition);
  filled_object(object, "status", arena).set(arena, "conditions", conditions);
}

}  // namespace tabernetes::registry::kinds
