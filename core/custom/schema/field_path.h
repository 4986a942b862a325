// Paths into a schema, as selectable fields and rules of CEL write them: `.spec.a['b.c']`.
// Source: upstream 1.36 apiextensions-apiserver pkg/apiserver/schema/cel, ValidFieldPath.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace tabernetes::registry::custom {

enum class ArrayNotation : bool { kForbidden, kAllowed };

struct FieldPath {
  std::string error;  // "does not refer to a valid field"; empty: it leads somewhere
  std::string path;   // "spec.a[b.c]"
  std::string root;   // "spec"
  const json::Value* schema = nullptr;  // where it leads; null: to anything
};

FieldPath find_field(std::string_view json_path, const json::Value& schema, ArrayNotation notation);

}  // namespace tabernetes::registry::custom
