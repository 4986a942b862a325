// /openapi/v2, and /openapi/v3 with the document of each group version. Source: spec/rest.md 3.
#pragma once

#include <string_view>

#include "server/openapi/documents.h"
#include "tabernetes/http.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

struct OpenApiCall {
  const OpenApiDocuments& documents;
  const Request& request;
  std::string_view hash;  // ?hash=, empty if absent
  Time modified;          // of all documents
  Time now;
};

// Returns the document in JSON or protobuf, for any method; 406 with an empty body.
Response answer_openapi_v2(const OpenApiCall& call);

// `path` begins with /openapi/v3. Returns the index, a document in either encoding, 301 for an
// outdated hash, or 404 and 406 with empty bodies. Bodies share the documents' bytes.
Response answer_openapi_v3(const OpenApiCall& call, std::string_view path);

}  // namespace tabernetes::server
