// The versions of meta.k8s.io that Table and PartialObjectMetadata come in.
#pragma once

#include <string_view>

namespace tabernetes::registry {

// The apiVersion text of "v1" or "v1beta1".
inline std::string_view meta_api_version(std::string_view version) {
  return version == "v1beta1" ? "meta.k8s.io/v1beta1" : "meta.k8s.io/v1";
}

}  // namespace tabernetes::registry
