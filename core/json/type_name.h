// The words that Go's encoding/json has for the types of JSON, in its error texts.
#pragma once

#include <string_view>

#include "json/value.h"

namespace tabernetes::json {

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

}  // namespace tabernetes::json
