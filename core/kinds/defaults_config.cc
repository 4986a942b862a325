#include "kinds/defaults_config.h"

#include "base/text/base64.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Arena;
using json::Value;

// Adds the amounts of `from` that are missing in `into`.
void add_amounts(Value& item, std::string_view into, std::string_view from, Arena& arena) {
  const Value* source = object_in(item, from);
  if (source == nullptr || source->size() == 0) return;
  Value amounts = Value::object(arena);
  if (const Value* given = object_in(item, into)) {
    for (const json::Member& amount : given->members()) {
      amounts.append(arena, amount.key, amount.value);
    }
  }
  for (const json::Member& amount : source->members()) {
    fill(amounts, amount.key, amount.value, arena);
  }
  amounts.sort_members();
  item.set(arena, into, amounts);
}

}  // namespace

void set_secret_defaults(const HookContext& context, Value& object) {
  Arena& arena = context.arena;
  if (const Value* texts = object_in(object, "stringData")) {
    Value data = Value::object(arena);
    if (const Value* given = object_in(object, "data")) {
      for (const json::Member& entry : given->members()) {
        data.append(arena, entry.key, entry.value);
      }
    }
    for (const json::Member& text : texts->members()) {
      if (!text.value.is_string()) continue;
      data.set(arena, text.key, Value::string(arena.copy(base64_encode(text.value.as_string()))));
    }
    data.sort_members();
    object.erase("stringData");
    object.set(arena, "data", data);
  }
  fill_text(object, "type", "Opaque", arena);
}

void set_limit_range_defaults(const HookContext& context, Value& object) {
  for (Value& item : items_in(object_or_new(object, "spec", context.arena), "limits")) {
    if (item.string_at("type") != "Container") continue;
    add_amounts(item, "default", "max", context.arena);
    add_amounts(item, "defaultRequest", "default", context.arena);
    add_amounts(item, "defaultRequest", "min", context.arena);
  }
}

// podCIDR and podCIDRs[0] are the same field; podCIDR wins. `allocatable` defaults to `capacity`.
void set_node_defaults(const HookContext& context, Value& object) {
  Arena& arena = context.arena;
  Value& spec = object_or_new(object, "spec", arena);
  const std::string_view range = spec.string_at("podCIDR");
  const auto ranges = items_in(spec, "podCIDRs");
  if (!range.empty() && (ranges.empty() || ranges[0].as_string() != range)) {
    Value list = Value::array(arena);
    list.push_back(arena, Value::string(range));
    spec.set(arena, "podCIDRs", list);
  } else if (range.empty() && !ranges.empty()) {
    spec.set(arena, "podCIDR", Value(ranges[0]));
  }
  Value* status = object_in(object, "status");
  if (status == nullptr || object_in(*status, "capacity") == nullptr) return;
  fill(*status, "allocatable", status->find("capacity")->clone(arena), arena);
}

}  // namespace tabernetes::registry::kinds
