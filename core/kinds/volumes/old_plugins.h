// Volume plugins that Kubernetes no longer has.
#pragma once

#include <string_view>

namespace tabernetes::registry::kinds {

struct OldPlugin {
  std::string_view name, text;
};

inline constexpr std::string_view kRemovedIn16 = "deprecated in v1.11, non-functional in v1.16+";
inline constexpr std::string_view kRemovedIn22 = "deprecated in v1.16, non-functional in v1.22+";
inline constexpr std::string_view kRemovedIn25 = "deprecated in v1.22, non-functional in v1.25+";
inline constexpr std::string_view kRemovedIn26 = "deprecated in v1.25, non-functional in v1.26+";
inline constexpr std::string_view kRemovedIn31 = "deprecated in v1.28, non-functional in v1.31+";

// Returns the name in upstream's paths, which is not always that of the API.
constexpr std::string_view old_plugin_path(std::string_view name) {
  return name == "storageos" ? "storageOS" : name;
}

}  // namespace tabernetes::registry::kinds
