// Applies the declared defaults of a kind; see decode.h. Defaults that the real server computes in
// code (restartPolicy and the like) are part of the kinds.
#include <charconv>

#include "schema/decode.h"
#include "schema/field_cursor.h"

namespace tabernetes::schema {
namespace {

using json::Arena;
using json::Value;

// Declared defaults are strings without escapes, booleans and small integers.
Value default_value(std::string_view text) {
  if (text.starts_with('"')) return Value::string(text.substr(1, text.size() - 2));
  if (text == "true" || text == "false") return Value::boolean(text == "true");
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return Value::integer(number);
}

// A zero that omitempty omits again has no effect.
bool applies(const Field& field) {
  if (field.default_json.empty()) return false;
  const bool zero =
      field.default_json == "\"\"" || field.default_json == "0" || field.default_json == "false";
  return field.pointer || !zero;
}

bool has_parts(const TypeRef& type) { return type.ref != nullptr || type.element != nullptr; }

void apply(const TypeRef& type, Value& value, Arena& arena) {
  switch (type.type) {
    case FieldType::kRef:
      apply_defaults(*type.ref, value, arena);
      break;
    case FieldType::kArray:
      if (!value.is_array() || !has_parts(*type.element)) break;
      for (Value& item : value.items()) apply(*type.element, item, arena);
      break;
    case FieldType::kMap:
      if (!value.is_object() || !has_parts(*type.element)) break;
      for (json::Member& member : value.members()) apply(*type.element, member.value, arena);
      break;
    default:
      break;
  }
}

}  // namespace

// Recursion follows the typed structs of a decoded tree, whose depth decode_typed() limits.
void apply_defaults(const Type& type, Value& object, Arena& arena) {
  if (!object.is_object()) return;
  std::uint64_t there = 0;
  FieldCursor cursor(type);
  for (json::Member& member : object.members()) {
    const int position = cursor.find(member.key);
    if (position < 0) continue;
    there |= std::uint64_t{1} << position;
    apply(type.flattened[static_cast<std::size_t>(position)]->type, member.value, arena);
  }
  bool missing = false;
  for (std::size_t i = 0; i < type.flattened.size() && !missing; ++i) {
    missing = (there >> i & 1) == 0 && applies(*type.flattened[i]);
  }
  if (!missing) return;
  Value filled = Value::object(arena);
  filled.reserve(arena, object.size() + 4);
  for (const Field* field : type.json_fields()) {
    if (const Value* value = object.find(field->name)) {
      filled.append(arena, field->name, *value);
    } else if (applies(*field)) {
      filled.append(arena, field->name, default_value(field->default_json));
    }
  }
  object = filled;
}

}  // namespace tabernetes::schema
