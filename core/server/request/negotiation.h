// In which form an answer is wanted. Source: spec/rest.md 5.1 to 5.6.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "codec/media_type.h"
#include "server/http/query.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

enum class Transform { kNone, kTable, kPartialMetadata, kPartialMetadataList };

struct Representation {
  codec::Encoding encoding = codec::Encoding::kJson;
  bool pretty = false;
  Transform transform = Transform::kNone;
  std::string_view meta_version = "v1";  // of Table and PartialObjectMetadata: v1 or v1beta1
};

// What an endpoint can answer with.
enum class Offer {
  kObjects,       // JSON, YAML, protobuf, CBOR; PartialObjectMetadata, and Table in JSON and YAML
  kWithoutTable,  // the same, of what has no rows: reviews
  kDocuments,     // JSON, YAML, protobuf, CBOR: discovery
  kWatch,         // JSON, protobuf and CBOR as a stream; the same transformations
};

// Whether CBOR is spoken, and named among the media types: where the feature gate
// CBORServingAndStorage is on, by whatever is not the router's own or the aggregator's.
struct NegotiationOptions {
  bool cbor = false;
  bool custom = false;  // of custom resources: no protobuf, but of metadata
};

// What tells the media types of a route: objects, discovery among them; lists; /version.
enum class RouteKind { kObjects, kList, kVersion };

// The first check of a built-in's route: 406 "form a" with the route's types. It knows no wildcard
// but
// */* and looks at no parameter.
Result<void> check_route_accept(const Request& request, RouteKind kind,
                                const NegotiationOptions& options);

// 406 "form b", with the types of objects and documents.
Failure not_acceptable(const NegotiationOptions& options);

// The form to answer in. Errors: 406 "form b".
Result<Representation> negotiate(const Request& request, const Query& query, Offer offer,
                                 const NegotiationOptions& options);

// Whether JSON is wanted in a form for people: by `?pretty`, else by who asks.
bool wants_pretty(const Request& request, const Query& query);

// The form of an error: as negotiate() without transformations, else pretty JSON.
Representation negotiate_error(const Request& request, const Query& query,
                               const NegotiationOptions& options);

// The encoding of a request body. Errors: 415. An empty header is JSON.
Result<codec::Encoding> body_encoding(const Request& request, const NegotiationOptions& options);

}  // namespace tabernetes::server
