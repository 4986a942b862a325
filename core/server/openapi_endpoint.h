// /openapi/v3: the index, and the document of each group version. Source: spec/rest.md 3.2.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/published.h"
#include "schema/openapi.h"
#include "schema/schema.h"
#include "tabernetes/response.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

// The documents of one catalogue with their hashes, made when first asked for, by any thread.
class OpenApiDocuments {
 public:
  // The catalogue outlives the object.
  OpenApiDocuments(const schema::Catalogue& catalogue, const schema::OpenApiOptions& options);
  OpenApiDocuments(const OpenApiDocuments&) = delete;
  OpenApiDocuments& operator=(const OpenApiDocuments&) = delete;

  struct Document {
    Slice json;
    std::string hash;  // SHA-512 of it, upper-case hexadecimal
  };

  // Null if there is no such key ("apis/apps/v1").
  const Document* find(std::string_view key) const;

  // {"paths":{KEY:{"serverRelativeURL":"/openapi/v3/KEY?hash=HASH"},...}}
  const Slice& index() const;

 private:
  const schema::Catalogue& catalogue_;
  schema::OpenApiOptions options_;
  // Every key there is: the map itself stays as it is.
  std::map<std::string, Published<Document>, std::less<>> documents_;
  Published<Slice> index_;
};

// What counts of a request for a path that begins with /openapi/v3.
struct OpenApiRequest {
  std::string_view path;
  std::string_view accept;          // the header, empty if not sent
  std::string_view if_none_match;   // the header, empty if not sent
  std::optional<std::string> hash;  // ?hash=
};

// The index, a document, 301 for an outdated hash, 304, or 404 and 406 with empty bodies. Bodies
// share the documents' bytes. JSON is the only encoding so far.
Response answer_openapi_v3(const OpenApiDocuments& documents, const OpenApiRequest& request,
                           Time now);

}  // namespace tabernetes::server
