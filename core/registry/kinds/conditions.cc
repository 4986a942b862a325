#include "registry/kinds/conditions.h"

#include "base/rfc3339.h"
#include "registry/kinds/fill.h"

namespace tabernetes::registry::kinds {

namespace {

using json::Value;

Value* condition_of_type(const Value& holder, std::string_view type) {
  for (Value& condition : items_in(holder, "conditions")) {
    if (condition.string_at("type") == type) return &condition;
  }
  return nullptr;
}

}  // namespace

void set_condition(const HookContext& context, Value& holder, const Condition& condition) {
  json::Arena& arena = context.arena;
  Value since = Value::string(arena.copy(format_rfc3339(context.now)));
  Value* place = condition_of_type(holder, condition.type);
  if (place != nullptr && place->string_at("status") == condition.status) {
    if (const Value* old = place->find("lastTransitionTime")) since = *old;
  }
  Value entry = Value::object(arena);
  auto text = [&](std::string_view key, std::string_view value) {
    entry.append(arena, key, Value::string(arena.copy(value)));
  };
  text("type", condition.type);
  text("status", condition.status);
  text("reason", condition.reason);
  text("message", condition.message);
  if (condition.observed_generation != 0) {
    entry.append(arena, "observedGeneration", Value::integer(condition.observed_generation));
  }
  entry.append(arena, "lastTransitionTime", since);
  if (place != nullptr) {
    *place = entry;
    return;
  }
  Value* conditions = holder.find("conditions");
  if (conditions == nullptr || !conditions->is_array()) {
    holder.set(arena, "conditions", Value::array(arena));
    conditions = holder.find("conditions");
  }
  conditions->push_back(arena, entry);
}

}  // namespace tabernetes::registry::kinds
