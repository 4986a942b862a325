// The two versions of OpenAPI that the server publishes.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes::schema::openapi {

enum class Dialect { kV2, kV3 };

// Returns the `$ref` to a type: "#/components/schemas/io.k8s.api.core.v1.Pod".
inline std::string reference_to(Dialect dialect, std::string_view type_name) {
  std::string reference = dialect == Dialect::kV2 ? "#/definitions/" : "#/components/schemas/";
  return reference.append(type_name);
}

}  // namespace tabernetes::schema::openapi
