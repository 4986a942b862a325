// Go's names for the types of JSON values, for error messages.
#pragma once

#include <string_view>

#include "json/value.h"

namespace tabernetes::json {

// Returns the name encoding/json uses: "number", "object".
inline std::string_view go_type_name(const Value& value) {
  switch (value.type()) {
    case Type::kNull:
      return "null";
    case Type::kBool:
      return "bool";
    case Type::kInt:
    case Type::kDouble:
      return "number";
    case Type::kString:
      return "string";
    case Type::kArray:
      return "array";
    case Type::kObject:
      return "object";
  }
  return {};
}

// Returns reflect's kind of the Go value encoding/json decodes to: "int64", "slice", "map".
inline std::string_view go_kind_name(const Value& value) {
  switch (value.type()) {
    case Type::kNull:
      return "invalid";
    case Type::kBool:
      return "bool";
    case Type::kInt:
      return "int64";
    case Type::kDouble:
      return "float64";
    case Type::kString:
      return "string";
    case Type::kArray:
      return "slice";
    case Type::kObject:
      return "map";
  }
  return {};
}

// Returns what fmt's %T prints for that Go value: "int64", "[]interface {}", "<nil>".
inline std::string_view go_dynamic_type(const Value& value) {
  if (value.is_null()) return "<nil>";
  if (value.is_array()) return "[]interface {}";
  return value.is_object() ? "map[string]interface {}" : go_kind_name(value);
}

}  // namespace tabernetes::json
