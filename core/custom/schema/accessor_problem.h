// Errors about the values at simple paths. Source: upstream 1.36 apimachinery
// apis/meta/v1/unstructured (NestedInt64 and similar functions).
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace tabernetes::registry::custom {

// Returns `.spec.replicas accessor error: x is of the type string, expected int64`.
std::string accessor_error(std::string_view path, const json::Value& value,
                           std::string_view expected);
inline std::string replicas_error(std::string_view path, const json::Value& value) {
  return accessor_error(path, value, "int64");
}

}  // namespace tabernetes::registry::custom
