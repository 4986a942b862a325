#include "registry/meta/conditions.h"

#include "base/time/rfc3339.h"
#include "json/access.h"

namespace tabernetes::registry {
namespace {

using json::Value;

Value* condition_of_type(json::Range<Value> conditions, std::string_view type) {
  for (Value& condition : conditions) {
    if (condition.string_at("type") == type) return &condition;
  }
  return nullptr;
}

}  // namespace

const Value* find_condition(const Value& object, std::string_view type) {
  return condition_of_type(items_at(object, {"status", "conditions"}), type);
}

const Value* last_condition(const Value& object, std::string_view type) {
  const Value* last = nullptr;
  for (const Value& condition : items_at(object, {"status", "conditions"})) {
    if (condition.string_at("type") == type) last = &condition;
  }
  return last;
}

bool condition_is_true(const Value& object, std::string_view type) {
  const Value* condition = find_condition(object, type);
  return condition != nullptr && condition->string_at("status") == "True";
}

void set_condition(Value& holder, const Condition& condition, Time now, json::Arena& arena) {
  Value since = Value::string(arena.copy(format_rfc3339(now)));
  Value* place = condition_of_type(items_in(holder, "conditions"), condition.type);
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

}  // namespace tabernetes::registry
