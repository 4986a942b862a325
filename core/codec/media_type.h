// Media types, and parsing of Accept and Content-Type as kube-apiserver does it. Source:
// spec/rest.md 5.1 to 5.7.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tabernetes::codec {

// The supported encodings; CBOR only with its feature gate.
enum class Encoding { kJson, kYaml, kProtobuf, kCbor };

std::string_view media_type_of(Encoding encoding);  // "application/json"

// A clause of an Accept header; kube-apiserver tries them in goautoneg's order.
struct AcceptClause {
  std::string type;     // "application"
  std::string subtype;  // "json", "*"
  double q = 1;
  std::vector<std::pair<std::string, std::string>> parameters;
  std::string_view parameter(std::string_view name) const;  // empty if absent
};

// Returns the clauses sorted as in spec/rest.md 5.1 step 3; an empty header gives one clause */*.
std::vector<AcceptClause> parse_accept(std::string_view header);

struct MediaType {
  std::string type;  // lower case, "application/json"
  std::vector<std::pair<std::string, std::string>> parameters;
};
// Parses a Content-Type like Go's mime.ParseMediaType; returns nullopt if malformed.
std::optional<MediaType> parse_content_type(std::string_view header);

}  // namespace tabernetes::codec
