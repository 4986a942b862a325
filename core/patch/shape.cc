#include "patch/shape.h"

#include "codec/json_reader.h"

namespace tabernetes::patch {
namespace {

using json::Value;
using schema::Field;
using schema::FieldType;
using schema::TypeRef;

// A list that does not say what it is goes by its merge strategy.
schema::ListType list_type_of(const Field& field) {
  if (field.list_type_declared || field.patch_strategy.find("merge") == std::string_view::npos) {
    return field.list_type;
  }
  return field.patch_merge_key.empty() ? schema::ListType::kSet : schema::ListType::kMap;
}

Shape shape_of_list(const TypeRef& ref, const Field* field) {
  Shape shape{.ref = &ref};
  if (field == nullptr) return shape;
  switch (list_type_of(*field)) {
    case schema::ListType::kAtomic:
      break;
    case schema::ListType::kSet:
      shape.kind = Shape::Kind::kSet;
      shape.element = ref.element;
      break;
    case schema::ListType::kMap:
      shape.kind = Shape::Kind::kKeyedList;
      shape.element = ref.element;
      shape.keys = field->list_map_keys;
      if (shape.keys.empty()) shape.keys.push_back(field->patch_merge_key);
      break;
  }
  return shape;
}

bool is_atomic(const TypeRef& ref, const Field* field) {
  if (field != nullptr && field->map_type) return *field->map_type == schema::MapType::kAtomic;
  return ref.type == FieldType::kRef && ref.ref->atomic;
}

// The value that the schema gives to a missing key field; null: none.
Value default_key(const Field& field, json::Arena& arena) {
  if (!field.default_json.empty()) return codec::read_json(field.default_json, arena).value;
  if (!field.zero_default) return Value::null();
  switch (field.type.type) {
    case FieldType::kString:
      return Value::string("");
    case FieldType::kInt32:
    case FieldType::kInt64:
    case FieldType::kNumber:
      return Value::integer(0);
    case FieldType::kBoolean:
      return Value::boolean(false);
    default:
      return Value::null();
  }
}

}  // namespace

Shape Shape::of_type(const schema::Type& type) {
  Shape shape;
  if (type.atomic || type.special != FieldType::kRef) return shape;
  shape.kind = Kind::kStruct;
  shape.type = &type;
  return shape;
}

Shape Shape::of(const TypeRef& ref, const Field* field) {
  Shape shape{.ref = &ref};
  switch (ref.type) {
    case FieldType::kRef:
      if (is_atomic(ref, field) || ref.ref->special != FieldType::kRef) break;
      shape.kind = Kind::kStruct;
      shape.type = ref.ref;
      break;
    case FieldType::kMap:
      if (is_atomic(ref, field)) break;
      shape.kind = Kind::kMap;
      shape.element = ref.element;
      break;
    case FieldType::kArray:
      return shape_of_list(ref, field);
    default:
      break;
  }
  return shape;
}

std::optional<Shape::Member> Shape::member(std::string_view name) const {
  if (kind == Kind::kMap) return Member{Shape::of(*element, nullptr), false};
  const Field* field = type->find(name);
  if (field == nullptr) return std::nullopt;
  return Member{Shape::of(field->type, field), true};
}

Shape Shape::item() const { return Shape::of(*element, nullptr); }

std::optional<PathElement> Shape::item_element(const Value& item) const {
  if (kind == Kind::kSet) {
    if (item.is_object() || item.is_array() || item.is_null()) return std::nullopt;
    return PathElement::value(item);
  }
  if (!item.is_object()) return std::nullopt;
  json::Arena arena;
  Value key = Value::object(arena);
  for (const std::string_view name : keys) {
    if (const Value* value = item.find(name)) {
      key.append(arena, name, *value);
      continue;
    }
    const Field* field = element->ref == nullptr ? nullptr : element->ref->find(name);
    const Value value = field == nullptr ? Value::null() : default_key(*field, arena);
    if (!value.is_null()) key.append(arena, name, value);
  }
  if (key.size() == 0) return std::nullopt;
  return PathElement::key(key);
}

std::string Shape::item_problem(const Value& item) const {
  if (kind == Kind::kSet) {
    if (item.is_null())
      return "associative list without keys has an element that's an explicit null";
    return item.is_object() ? "associative list without keys has an element that's a map type"
                            : "not supported: associative list with lists as elements";
  }
  if (item.is_null()) return "associative list with keys may not have a null element";
  if (!item.is_object()) return "associative list with keys may not have non-map elements";
  std::string text = "associative list with keys has an element that omits all key fields [";
  for (std::size_t i = 0; i < keys.size(); ++i) {
    text.append(i == 0 ? "\"" : " \"").append(keys[i]).append("\"");
  }
  return text + "] (and doesn't have default values for any key fields)";
}

}  // namespace tabernetes::patch
