// Paths of member names as in CustomResourceDefinitions: `.spec.replicas`, without lists.
#pragma once

#include <string_view>

#include "json/value.h"

namespace tabernetes::registry {

// Returns the path without its leading dot.
inline std::string_view path_without_dot(std::string_view path) {
  return path.substr(path.starts_with('.') ? 1 : 0);
}

// Returns the value at the path, or null if it is missing or the path is empty. Follows members of
// objects only, not items of lists.
const json::Value* value_at(const json::Value& object, std::string_view path);

// Sets the value at the path; adds missing objects on the way. REQUIRES: the path is not empty.
void set_at(json::Value& object, std::string_view path, json::Value value, json::Arena& arena);

}  // namespace tabernetes::registry
