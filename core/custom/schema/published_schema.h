// The schema of a custom kind for OpenAPI documents. Source: upstream 1.36 apiextensions-apiserver
// pkg/controller/openapi/{builder,v2}.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "schema/openapi/dialect.h"

namespace tabernetes::registry::custom {

struct PublishedKind {
  std::string_view group, version, kind, plural, list_kind;
};

// Returns the schema as JSON. `open_api` is the definition's schema.
std::string published_schema(const PublishedKind& kind, const json::Value& open_api,
                             schema::openapi::Dialect dialect);
// Returns the schema of the list; `type_name` is that of the items.
std::string published_list_schema(const PublishedKind& kind, std::string_view type_name,
                                  schema::openapi::Dialect dialect);

}  // namespace tabernetes::registry::custom
