// Internal to patch: the words of encoding/json for the types of JSON.
#pragma once

#include <string_view>

#include "json/value.h"

namespace tabernetes::patch {

inline std::string_view go_json_type(const json::Value& value) {
  switch (value.type()) {
    case json::Type::kNull:
      return "null";
    case json::Type::kBool:
      return "bool";
    case json::Type::kInt:
    case json::Type::kDouble:
      return "number";
    case json::Type::kString:
      return "string";
    case json::Type::kArray:
      return "array";
    case json::Type::kObject:
      return "object";
  }
  return {};
}

}  // namespace tabernetes::patch
