// What another server says of its API in OpenAPI, to become part of this server's documents.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tabernetes::server {

// Never changes.
struct ForeignSpec {
  // The document of /openapi/v2 with the paths of the API alone; empty: it is not known.
  std::string swagger;
  // "apis/GROUP/VERSION" and the URL at which the server has its document of v3.
  std::map<std::string, std::string, std::less<>> v3_urls;
  // Documents of v3 by such keys, made from v2: the server has none.
  std::map<std::string, std::string, std::less<>> v3_documents;

  friend bool operator==(const ForeignSpec&, const ForeignSpec&) = default;
};
// Those that come first keep the names of their definitions.
using ForeignSpecs = std::vector<std::shared_ptr<const ForeignSpec>>;

}  // namespace tabernetes::server
