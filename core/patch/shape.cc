#include "patch/shape.h"

#include "codec/json_reader.h"

namespace tabernetes::patch {
namespace {

using json::Value;
using schema::Field;
using schema::FieldType;
using schema::TypeRef;

// An undeclared list type follows from the merge strategy.
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
      if (shape.keys.empty()) shape.keys = {&field->patch_merge_key, 1};
      break;
  }
  return shape;
}

bool is_atomic(const TypeRef& ref, const Field* field) {
  if (field != nullptr && field->map_type) return *field->map_type == schema::MapType::kAtomic;
  return ref.type == FieldType::kRef && ref.ref->atomic;
}

// Returns the schema's default for a missing key field, or a null value.
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

Shape Shape::of_custom(const schema::Structural* schema, bool preserves) {
  Shape shape{.kind = Kind::kMap, .custom = true, .schema = schema};
  if (schema == nullptr) return shape;
  shape.preserves = preserves || schema->preserve_unknown;
  shape.whole = schema->embedded;
  switch (schema->type) {
    case schema::JsonType::kNone:
      break;
    case schema::JsonType::kObject:
      if (schema->map_type == schema::MapType::kAtomic) shape.kind = Kind::kLeaf;
      break;
    case schema::JsonType::kArray:
      shape.kind = schema->list_type == schema::ListType::kSet   ? Kind::kSet
                   : schema->list_type == schema::ListType::kMap ? Kind::kKeyedList
                                                                 : Kind::kLeaf;
      shape.keys = schema->list_map_keys;
      break;
    default:
      shape.kind = Kind::kLeaf;
  }
  return shape;
}

Shape Shape::of_custom_object(const schema::Structural& schema) {
  Shape shape = of_custom(&schema, false);
  shape.whole = true;
  return shape;
}

std::optional<Shape::Member> Shape::custom_member(std::string_view name) const {
  if (whole && name == "metadata") {
    return Member{of_type(schema::Catalogue::built_in().object_meta()), true};
  }
  if (whole && (name == "kind" || name == "apiVersion")) return Member{Shape(), true};
  const Member deduced{of_custom(nullptr, false), false};
  if (schema == nullptr) return deduced;
  if (const schema::Structural* property = schema->property(name)) {
    return Member{of_custom(property, preserves), true};
  }
  switch (schema->additional_properties) {
    case schema::Additional::kSchema:
      return Member{of_custom(schema->additional, preserves), false};
    case schema::Additional::kAnything:
      return deduced;
    case schema::Additional::kForbidden:
      return std::nullopt;
    case schema::Additional::kNone:
      break;
  }
  const bool open = preserves || (schema->properties.empty() && !whole);
  return open ? std::optional(deduced) : std::nullopt;
}

std::optional<Shape::Member> Shape::member(std::string_view name) const {
  if (custom) return custom_member(name);
  if (kind == Kind::kMap) return Member{Shape::of(*element, nullptr), false};
  const Field* field = type->find(name);
  if (field == nullptr) return std::nullopt;
  return Member{Shape::of(field->type, field), true};
}

std::optional<Shape::Member> MemberShapes::next(std::string_view name) {
  if (!fields_) return shape_.member(name);
  const int found = fields_->find(name);
  if (found < 0) return std::nullopt;
  const Field& field = *shape_.type->flattened[static_cast<std::size_t>(found)];
  return Shape::Member{Shape::of(field.type, &field), true};
}

Shape Shape::item() const {
  return custom ? of_custom(schema->items, preserves) : Shape::of(*element, nullptr);
}

// Returns the default of a missing key field, or a null value.
Value Shape::default_of_key(std::string_view name, json::Arena& arena) const {
  if (custom) {
    const schema::Structural* field = schema->items->property(name);
    return field == nullptr || field->default_value == nullptr ? Value::null()
                                                               : *field->default_value;
  }
  const Field* field = element->ref == nullptr ? nullptr : element->ref->find(name);
  return field == nullptr ? Value::null() : default_key(*field, arena);
}

std::optional<PathElement> Shape::item_element(const Value& item) const {
  if (kind == Kind::kSet) {
    if (item.is_object() || item.is_array() || item.is_null()) return std::nullopt;
    return PathElement::value(item);
  }
  if (!item.is_object()) return std::nullopt;
  PathElement::Keys key;
  key.reserve(keys.size());
  for (const std::string_view name : keys) {
    if (const Value* value = item.find(name)) {
      key.emplace_back(name, *value);
      continue;
    }
    json::Arena arena;
    const Value value = default_of_key(name, arena);
    if (!value.is_null()) key.emplace_back(name, value);
  }
  if (key.empty()) return std::nullopt;
  return PathElement::key(std::move(key));
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
