// The objects of a manifest, and the order in which their kinds are stored: namespaces and
// definitions first.
#pragma once

#include <string_view>

#include "json/value.h"

namespace tabernetes::registry::kinds {

enum class LoadPhase { kNamespaces, kDefinitions, kObjects };

inline LoadPhase load_phase(std::string_view kind) {
  if (kind == "Namespace") return LoadPhase::kNamespaces;
  return kind == "CustomResourceDefinition" ? LoadPhase::kDefinitions : LoadPhase::kObjects;
}

// Returns the items of a document that is a list of objects of any kinds; null for another one.
inline const json::Value* list_items(const json::Value& document) {
  const json::Value* items = document.find("items");
  const bool lists = document.string_at("kind").ends_with("List");
  return lists && items != nullptr && items->is_array() ? items : nullptr;
}

}  // namespace tabernetes::registry::kinds
