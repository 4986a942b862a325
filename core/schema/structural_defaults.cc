// Defaulting; see structural.h.
#include "schema/structural.h"

namespace tabernetes::schema {
namespace {

using json::Arena;
using json::Value;

bool is_missing(const Value* value, const Structural& schema) {
  return value == nullptr || (value->is_null() && !schema.nullable);
}

// Replaces a null item or additional property by the default, if there is one.
void default_null(Value& value, const Structural& schema, Arena& arena) {
  if (schema.default_value == nullptr || !is_missing(&value, schema)) return;
  value = schema.default_value->clone(arena);
}

void default_members(Value& object, const Structural& schema, Arena& arena) {
  for (const StructuralProperty& property : schema.properties) {
    if (!property.schema->has_defaults) continue;
    const Value* given = property.schema->default_value;
    Value* value = object.find(property.name);
    if (given != nullptr && is_missing(value, *property.schema)) {
      object.set(arena, property.name, given->clone(arena));
      value = object.find(property.name);
    }
    if (value != nullptr) apply_defaults(*value, *property.schema, arena);
  }
}

void default_free_members(Value& object, const Structural& schema, Arena& arena) {
  for (json::Member& member : object.members()) {
    if (schema.property(member.key) != nullptr) continue;
    default_null(member.value, *schema.additional, arena);
    apply_defaults(member.value, *schema.additional, arena);
  }
}

}  // namespace

void apply_defaults(Value& value, const Structural& schema, Arena& arena) {
  if (!schema.has_defaults) return;
  if (value.is_object()) {
    default_members(value, schema, arena);
    if (schema.additional != nullptr && schema.additional->has_defaults) {
      default_free_members(value, schema, arena);
    }
  } else if (value.is_array() && schema.items != nullptr && schema.items->has_defaults) {
    for (Value& item : value.items()) {
      default_null(item, *schema.items, arena);
      apply_defaults(item, *schema.items, arena);
    }
  }
}

}  // namespace tabernetes::schema
