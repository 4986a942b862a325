// The OpenAPI documents served at /openapi/v2 and /openapi/v3, generated from the schema. They have
// the content of a real server's, including descriptions of kinds, fields, operations and
// parameters if a file with descriptions is given. Source: spec/rest.md 3, and the published
// documents of Kubernetes 1.36.
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
  bool enums = true;  // gate OpenAPIEnums: schemas list the values of enumerations
};

// Returns the keys of the index, sorted: "api", "api/v1", "apis", "apis/apps", "apis/apps/v1",
// "version"...
std::vector<std::string> openapi_v3_keys(const Catalogue& catalogue);

// Returns the document of a key as compact JSON without a final newline, or nullopt if there is no
// such key. The document of a group version has its paths with x-kubernetes-action and
// -group-version-kind, parameters and media types, and every schema reachable from them. Costs
// milliseconds: callers should cache it.
std::optional<std::string> openapi_v3_document(const Catalogue& catalogue, std::string_view key,
                                               const OpenApiOptions& options,
                                               const openapi::Descriptions& descriptions);

// Returns the single document of v2 in the same form: every path, and every type as a definition.
std::string openapi_v2_document(const Catalogue& catalogue, const OpenApiOptions& options,
                                const openapi::Descriptions& descriptions);

}  // namespace tabernetes::schema
