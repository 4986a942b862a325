#include "schema/go_type.h"

#include <algorithm>

namespace tabernetes::schema {

std::string go_struct_name(const Type& type) {
  return std::string(type.go_package) + "." + std::string(type.go_name);
}

std::string_view go_scalar_name(FieldType type) {
  switch (type) {
    case FieldType::kString:
      return "string";
    case FieldType::kBoolean:
      return "bool";
    case FieldType::kInt32:
      return "int32";
    case FieldType::kInt64:
      return "int64";
    case FieldType::kNumber:
      return "float64";
    default:
      return {};
  }
}

json::Value go_zero_value(FieldType type) {
  switch (type) {
    case FieldType::kString:
      return json::Value::string("");
    case FieldType::kBoolean:
      return json::Value::boolean(false);
    case FieldType::kInt32:
    case FieldType::kInt64:
    case FieldType::kNumber:
    case FieldType::kIntOrString:
      return json::Value::integer(0);
    case FieldType::kQuantity:
      return json::Value::string("0");
    default:
      return json::Value::null();
  }
}

std::string go_type_name(const TypeRef& type, std::string_view go) {
  if (!go.empty()) return std::string(go);
  switch (type.type) {
    case FieldType::kArray:
      return "[]" + go_type_name(*type.element, {});
    case FieldType::kMap:
      return "map[string]" + go_type_name(*type.element, {});
    case FieldType::kRef:
      return go_struct_name(*type.ref);
    case FieldType::kBytes:
      return "[]uint8";
    case FieldType::kQuantity:
      return "resource.Quantity";
    case FieldType::kTime:
      return "v1.Time";
    case FieldType::kMicroTime:
      return "v1.MicroTime";
    case FieldType::kIntOrString:
      return "intstr.IntOrString";
    case FieldType::kRawExtension:
      return "runtime.RawExtension";
    case FieldType::kJson:
      return "v1.JSON";
    default: {
      const std::string_view scalar = go_scalar_name(type.type);
      return std::string(scalar.empty() ? "string" : scalar);
    }
  }
}

std::string_view go_element_name(std::string_view go) {
  if (go.starts_with("[]")) return go.substr(2);
  if (go.starts_with("map[")) return go.substr(std::min(go.find(']'), go.size() - 1) + 1);
  return {};
}

std::string_view go_key_name(std::string_view go) {
  if (go == "v1.ResourceList") return "v1.ResourceName";
  if (go.starts_with("map[")) return go.substr(4, go.find(']') - 4);
  return "string";
}

}  // namespace tabernetes::schema
