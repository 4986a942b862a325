// The simple paths of a custom scale: `.spec.replicas`. Source: upstream 1.36 apimachinery
// apis/meta/v1/unstructured (NestedInt64 and the like).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace tabernetes::registry::crd {

using MemberPath = std::vector<std::string_view>;

// The names of the members on the way.
MemberPath split_path(std::string_view path);

// Null: there is nothing, or the path is empty.
const json::Value* value_at(const json::Value& object, const MemberPath& path);

// Objects on the way are added.
void set_at(json::Value& object, const MemberPath& path, json::Value value, json::Arena& arena);

// `.spec.replicas accessor error: x is of the type string, expected int64`
std::string accessor_problem(std::string_view path, const json::Value& value,
                             std::string_view expected);
inline std::string replicas_problem(std::string_view path, const json::Value& value) {
  return accessor_problem(path, value, "int64");
}

}  // namespace tabernetes::registry::crd
