// Strict reading of configurations of group apiserver.config.k8s.io. Source: upstream 1.36
// apiserver/pkg/apis/apiserver/load, apimachinery/pkg/runtime/serializer/json.
#pragma once

#include <string_view>

#include "json/value.h"
#include "tabernetes/expected.h"

namespace tabernetes::auth {

// A kind, which has the versions v1, v1beta1 and v1alpha1, and its shape, a text: s string, b bool,
// d duration, L list of, {field:shape,...}.
struct ConfigurationKind {
  std::string_view kind;
  std::string_view shape;
  std::string_view scheme;  // as errors name it
};

// Returns the document, YAML or JSON, with every given field of its type; null members are left
// out. The result lives as long as `arena`. Fails for another kind, a field that is unknown or of
// another type, and for duplicate keys.
Expected<json::Value> read_strictly(std::string_view text, const ConfigurationKind& kind,
                                    json::Arena& arena);

}  // namespace tabernetes::auth
