// How Go names the types of the schema.
#pragma once

#include <algorithm>
#include <string_view>

namespace tabernetes::schema {

// The Go name of the elements of a list or map type written `go` ("[]v1.X", "map[string]v1.X").
inline std::string_view go_element(std::string_view go) {
  if (go.starts_with("[]")) return go.substr(2);
  if (go.starts_with("map[")) return go.substr(std::min(go.find(']'), go.size() - 1) + 1);
  return {};
}

}  // namespace tabernetes::schema
