#include "kinds/api_service.h"

#include "json/access.h"
#include "json/fill.h"
#include "registry/meta/conditions.h"

namespace tabernetes::registry::kinds {

using json::Value;

void prepare_api_service_for_create(const HookContext& context, Value& object) {
  json::Arena& arena = context.arena;
  if (has(object, {"spec", "service"})) return;
  Value& status = object_or_new(object, "status", arena);
  status.set(arena, "conditions", Value::array(arena));
  set_condition(status, {"Available", "True", "Local", "Local APIServices are always available"},
                context.now, arena);
}

}  // namespace tabernetes::registry::kinds
