// OpenAPI v3 documents made from the schema: what /openapi/v3 lists and serves.
// Descriptions are left out. Source: spec/rest.md 3.2 to 3.4.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace tabernetes::schema {

struct OpenApiOptions {
  bool cbor = false;  // gate CBORServingAndStorage: names the CBOR media types
};

// The keys of the index, sorted: "api", "api/v1", "apis", "apis/apps", "apis/apps/v1", "version"...
std::vector<std::string> openapi_v3_keys(const Catalogue& catalogue);

// The document of a key as compact JSON without a final newline; nothing if there is no such key.
// A group version's has its paths with x-kubernetes-action and -group-version-kind, parameters and
// media types, and every schema reachable from them. Costs milliseconds: callers keep it.
std::optional<std::string> openapi_v3_document(const Catalogue& catalogue, std::string_view key,
                                               const OpenApiOptions& options);

}  // namespace tabernetes::schema
