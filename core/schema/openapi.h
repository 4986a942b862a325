// OpenAPI documents made from the schema: what /openapi/v2 and /openapi/v3 serve. They have what a
// real server's have, descriptions of kinds, fields, operations and parameters if they are given.
// Source: spec/rest.md 3, and the published documents of Kubernetes 1.36.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/openapi/descriptions.h"
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
                                               const OpenApiOptions& options,
                                               const openapi::Descriptions& descriptions);

// The one document of v2, of the same shape: every path, and every type as a definition.
std::string openapi_v2_document(const Catalogue& catalogue, const OpenApiOptions& options,
                                const openapi::Descriptions& descriptions);

}  // namespace tabernetes::schema
