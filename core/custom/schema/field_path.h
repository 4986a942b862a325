// Paths into a schema, as in selectable fields and fieldPath of rules: `.spec.a['b.c']`. Source:
// upstream 1.36 apiextensions-apiserver pkg/apiserver/schema/cel, ValidFieldPath.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace tabernetes::registry::custom {

enum class ArrayNotation : bool { kForbidden, kAllowed };

struct FieldPath {
  std::string error;                    // "does not refer to a valid field"; empty if it is valid
  std::string path;                     // "spec.a[b.c]"
  std::string root;                     // "spec"
  const json::Value* schema = nullptr;  // the schema at the path; null: any value
};

FieldPath find_field(std::string_view json_path, const json::Value& schema, ArrayNotation notation);

}  // namespace tabernetes::registry::custom
