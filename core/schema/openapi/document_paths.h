// The list of documents, and the paths of each. An OpenAPI v3 document covers one path or one group
// version; v2 has all of them in one document.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/openapi/operations.h"
#include "schema/schema.h"

namespace tabernetes::schema::openapi {

struct DocumentPaths {
  Paths paths;
  std::string tag;                  // of all operations
  std::string_view group, version;  // empty if the document has no group or version
};

// Returns "api", "api/v1", "apis", "apis/apps", "apis/apps/v1", "version"... in the order of their
// paths.
std::vector<std::string> document_keys(const Catalogue& catalogue);

// Returns nullopt if there is no such key.
std::optional<DocumentPaths> document_paths(const Catalogue& catalogue, std::string_view key);

}  // namespace tabernetes::schema::openapi
