#include "kinds/certificate_request.h"

#include <vector>

#include "base/time/rfc3339.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/meta/object_meta.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Arena;
using json::Value;

std::vector<Value*> conditions_of_type(const Value& status, std::string_view type) {
  std::vector<Value*> found;
  for (Value& condition : items_in(status, "conditions")) {
    if (condition.string_at("type") == type) found.push_back(&condition);
  }
  return found;
}

// Restores the conditions of a type if their number is unchanged: signers cannot change decisions.
void keep_decision(Value& status, const Value& old, std::string_view type) {
  const std::vector<Value*> now = conditions_of_type(status, type);
  const std::vector<Value*> before = conditions_of_type(old, type);
  if (now.size() != before.size()) return;
  for (std::size_t i = 0; i < now.size(); ++i) *now[i] = *before[i];
}

// Returns lastTransitionTime: that of an old condition with the same type and status, else `now`.
Value since(const Value& condition, const Value& old, Value now) {
  constexpr std::string_view kSince = "lastTransitionTime";
  for (const Value& before : items_in(old, "conditions")) {
    if (before.string_at("type") == condition.string_at("type") &&
        before.string_at("status") == condition.string_at("status") &&
        !before.string_at(kSince).empty()) {
      return *before.find(kSince);
    }
  }
  return now;
}

void fill_times(const HookContext& context, Value& status, const Value& old) {
  Arena& arena = context.arena;
  const Value now = Value::string(arena.copy(format_rfc3339(context.now)));
  for (Value& condition : items_in(status, "conditions")) {
    if (condition.string_at("lastUpdateTime").empty()) {
      condition.set(arena, "lastUpdateTime", now);
    }
    if (condition.string_at("lastTransitionTime").empty()) {
      condition.set(arena, "lastTransitionTime", since(condition, old, now));
    }
  }
}

}  // namespace

void prepare_certificate_request_subresource(const HookContext& context, Subresource subresource,
                                             Value& object, const Value& old) {
  Arena& arena = context.arena;
  Value& status = object_or_new(object, "status", arena);
  const Value* stored = old.find("status");
  const Value before = stored == nullptr ? Value::object(arena) : *stored;
  if (subresource == Subresource::kStatus) {
    keep_decision(status, before, "Approved");
    keep_decision(status, before, "Denied");
    fill_times(context, status, before);
    return;
  }
  fill_times(context, status, before);
  Value decided = before.clone(arena);
  if (const Value* conditions = status.find("conditions")) {
    decided.set(arena, "conditions", *conditions);
  } else {
    decided.erase("conditions");
  }
  object.set(arena, "status", decided);
  if (const Value* spec = old.find("spec")) object.set(arena, "spec", *spec);
}

}  // namespace tabernetes::registry::kinds
