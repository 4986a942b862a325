// Paths of member names, as definitions write them: `.spec.replicas`, without lists.
#pragma once

#include <string_view>

#include "json/value.h"

namespace tabernetes::registry {

// Returns the names on the way, with dots between them; nothing for an empty path.
inline std::string_view names_on(std::string_view path) {
  return path.substr(path.starts_with('.') ? 1 : 0);
}

// Returns the value at the path; null if there is none, or the path is empty. Leads through objects
// only, never into a list.
const json::Value* value_at(const json::Value& object, std::string_view path);

// Sets the value at the path; adds the objects on the way. REQUIRES: the path is not empty.
void set_at(json::Value& object, std::string_view path, json::Value value, json::Arena& arena);

}  // namespace tabernetes::registry
