// Which kinds of a manifest are stored before the others, because those live in them.
#pragma once

#include <string_view>

namespace tabernetes::registry::kinds {

inline bool loads_first(std::string_view kind) {
  return kind == "Namespace" || kind == "CustomResourceDefinition";
}

}  // namespace tabernetes::registry::kinds
