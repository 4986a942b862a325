// Paths of member names, as definitions write them: `.spec.replicas`, without lists.
#pragma once

#include <string_view>

#include "json/value.h"

namespace tabernetes::registry {

// Returns the names on the way, with dots between them; nothing for an empty path.
inline std::string_view names_on(std::string_view path) {
  return path.substr(path.starts_with('.') ? 1 : 0);
}

// Returns what stands at the path; null if there is nothing, or the path is empty.
const json::Value* value_at(const json::Value& object, std::string_view path);

// Sets what stands at the path; objects on the way are added. REQUIRES: the path is not empty.
void set_at(json::Value& object, std::string_view path, json::Value value, json::Arena& arena);

}  // namespace tabernetes::registry
