// Source: encoding/json decode.go (object, array, literalStore), of which sigs.k8s.io/json is a
// copy. Tested by tests/core/schema/decode_test.cc.
#include "schema/repeated_member.h"

#include <algorithm>

namespace tabernetes::schema {
namespace {

using json::Arena;
using json::Value;

bool null_changes_nothing(const Field& field) {
  if (field.pointer) return false;
  switch (field.type.type) {
    case FieldType::kString:
    case FieldType::kBoolean:
    case FieldType::kInt32:
    case FieldType::kInt64:
    case FieldType::kNumber:
    case FieldType::kRef:
    case FieldType::kRawExtension:
      return true;
    default:
      return false;
  }
}

DecodedField found(const Value& object, std::string_view name) {
  const Value* value = object.find(name);
  return value == nullptr ? DecodedField{} : DecodedField{true, *value};
}

Value merge_struct(const Type& type, const Value& before, const Value& now, const Value& raw,
                   Arena& arena) {
  Value out = Value::object(arena);
  for (const Field* field : type.json_fields()) {
    DecodedField merged = found(before, field->name);
    if (const Value* member = raw.find(field->name)) {
      merged = merge_repeated(*field, merged, found(now, field->name), *member, arena);
    }
    if (merged.present) out.append(arena, field->name, merged.value);
  }
  return out;
}

Value merge_map(const Value& before, const Value& now, Arena& arena) {
  Value out = Value::object(arena);
  for (const json::Member& member : before.members()) out.set(arena, member.key, member.value);
  for (const json::Member& member : now.members()) out.set(arena, member.key, member.value);
  out.sort_members();
  return out;
}

// Returns the later list's items, each decoded into the earlier item at its index.
Value merge_list(const Type& type, const Value& before, const Value& now, const Value& raw,
                 Arena& arena) {
  Value out = Value::array(arena);
  for (std::uint32_t i = 0; i < now.size(); ++i) {
    const Value& item = raw.items()[i];
    if (i >= before.size() || !before.items()[i].is_object() || !now.items()[i].is_object()) {
      out.push_back(arena, now.items()[i]);
    } else {
      out.push_back(arena, item.is_null() ? before.items()[i]
                                          : merge_struct(type, before.items()[i], now.items()[i],
                                                         item, arena));
    }
  }
  return out;
}

}  // namespace

DecodedField merge_repeated(const Field& field, const DecodedField& before, const DecodedField& now,
                            const Value& raw, Arena& arena) {
  if (raw.is_null()) return null_changes_nothing(field) ? before : now;
  if (!before.present) return now;
  switch (field.type.type) {
    case FieldType::kRef:
      if (!before.value.is_object() || !now.present || !now.value.is_object()) return now;
      return {true, merge_struct(*field.type.ref, before.value, now.value, raw, arena)};
    case FieldType::kMap:
      if (!before.value.is_object()) return now;
      if (!now.present || !now.value.is_object()) return before;
      return {true, merge_map(before.value, now.value, arena)};
    case FieldType::kArray:
      if (field.type.element->type != FieldType::kRef || !now.present || !now.value.is_array() ||
          !before.value.is_array() || raw.size() != now.value.size()) {
        return now;
      }
      return {true, merge_list(*field.type.element->ref, before.value, now.value, raw, arena)};
    default:
      return now;
  }
}

}  // namespace tabernetes::schema
