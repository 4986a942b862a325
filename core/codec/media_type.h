// Media types and the reading of Accept and Content-Type, as kube-apiserver does it.
// Source: spec/rest.md 5.1 to 5.7.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tabernetes::codec {

// The encodings the server speaks; CBOR where its feature gate is on.
enum class Encoding { kJson, kYaml, kProtobuf, kCbor };

std::string_view media_type_of(Encoding encoding);  // "application/json"

// One clause of an Accept header, in the order in which kube-apiserver tries them (goautoneg).
struct AcceptClause {
  std::string type;     // "application"
  std::string subtype;  // "json", "*"
  double q = 1;
  std::vector<std::pair<std::string, std::string>> parameters;
  std::string_view parameter(std::string_view name) const;  // empty if absent
};

// Clauses sorted as spec/rest.md 5.1 step 3; an empty header gives one clause */*.
std::vector<AcceptClause> parse_accept(std::string_view header);

struct MediaType {
  std::string type;  // lower case, "application/json"
  std::vector<std::pair<std::string, std::string>> parameters;
};
// A Content-Type as Go's mime.ParseMediaType reads it; nothing if malformed.
std::optional<MediaType> parse_content_type(std::string_view header);

}  // namespace tabernetes::codec
