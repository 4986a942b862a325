// OpenAPI documents made from the schema: /openapi/v3/<group version>.
#pragma once

#include <string>
#include <string_view>

#include "schema/schema.h"

namespace tabernetes::schema {

// The v3 document of a served group version (group "" for core), as compact JSON: paths with
// x-kubernetes-action and -group-version-kind, parameters, media types, and every schema reachable
// from it. Source: spec/rest.md 3.2 to 3.4.
std::string openapi_v3_document(const Catalogue& catalogue, std::string_view group,
                                std::string_view version);

}  // namespace tabernetes::schema
