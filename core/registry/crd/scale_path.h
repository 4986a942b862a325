// The simple paths of a custom scale: `.spec.replicas`. Source: upstream 1.36 apimachinery
// apis/meta/v1/unstructured (NestedInt64 and the like).
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace tabernetes::registry::crd {

// Returns the names on the way, with dots between them; nothing for an empty path.
inline std::string_view names_on(std::string_view path) {
  return path.substr(path.starts_with('.') ? 1 : 0);
}

// Returns the value at the path; null if there is none, or the path is empty. Leads through objects
// only, never into a list.
const json::Value* value_at(const json::Value& object, std::string_view path);

// Sets the value at the path; adds the objects on the way. REQUIRES: the path is not empty.
void set_at(json::Value& object, std::string_view path, json::Value value, json::Arena& arena);

// `.spec.replicas accessor error: x is of the type string, expected int64`
std::string accessor_problem(std::string_view path, const json::Value& value,
                             std::string_view expected);
inline std::string replicas_problem(std::string_view path, const json::Value& value) {
  return accessor_problem(path, value, "int64");
}

}  // namespace tabernetes::registry::crd
