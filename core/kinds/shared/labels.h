// Lookups of labels and annotations.
#pragma once

#include <string_view>

#include "kinds/row/rules.h"

namespace tabernetes::registry::kinds {

inline bool has_annotation(const json::Value& object, std::string_view key) {
  return object.at({"metadata", "annotations", key}) != nullptr;
}

inline bool has_label(const Field& object, std::string_view key, std::string_view value) {
  const json::Value* labels = object.value()->at({"metadata", "labels"});
  return labels != nullptr && labels->string_at(key) == value;
}

}  // namespace tabernetes::registry::kinds
