// The order in which the kinds of a manifest are stored: namespaces and definitions first.
#pragma once

#include <string_view>

namespace tabernetes::registry::kinds {

enum class LoadPhase { kNamespaces, kDefinitions, kObjects };

inline LoadPhase load_phase(std::string_view kind) {
  if (kind == "Namespace") return LoadPhase::kNamespaces;
  return kind == "CustomResourceDefinition" ? LoadPhase::kDefinitions : LoadPhase::kObjects;
}

}  // namespace tabernetes::registry::kinds
