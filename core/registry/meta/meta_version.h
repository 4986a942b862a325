// The versions of meta.k8s.io in which Table and PartialObjectMetadata are served.
#pragma once

#include <string_view>

namespace tabernetes::registry {

// Returns the apiVersion of the version "v1" or "v1beta1".
inline std::string_view meta_api_version(std::string_view version) {
  return version == "v1beta1" ? "meta.k8s.io/v1beta1" : "meta.k8s.io/v1";
}

}  // namespace tabernetes::registry
