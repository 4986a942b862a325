// Which documents there are, and the paths of each. A document of OpenAPI v3 is about one path or
// one group version; v2 has them all in one.
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
  std::string_view group, version;  // empty: the document is about no group or version
};

// "api", "api/v1", "apis", "apis/apps", "apis/apps/v1", "version"... in the order of their paths.
std::vector<std::string> document_keys(const Catalogue& catalogue);

// Nothing if there is no such key.
std::optional<DocumentPaths> document_paths(const Catalogue& catalogue, std::string_view key);

}  // namespace tabernetes::schema::openapi
