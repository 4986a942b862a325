// Content negotiation: the form of an answer. Source: spec/rest.md 5.1 to 5.6.
#pragma once

#include <string>
#include <string_view>

#include "base/api/result.h"
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

// The forms that an endpoint offers.
enum class Offer {
  kObjects,       // JSON, YAML, protobuf, CBOR; PartialObjectMetadata, and Table in JSON and YAML
  kWithoutTable,  // the same without tables: reviews
  kDocuments,     // JSON, YAML, protobuf, CBOR: discovery
  kWatch,         // JSON, protobuf and CBOR as a stream; the same transformations
};

// Whether CBOR is supported and listed among the media types: if the feature gate
// CBORServingAndStorage is on, except by the router and the aggregator themselves.
struct NegotiationOptions {
  bool cbor = false;
  // As the kind has it (registry::ObjectForm).
  bool protobuf = true;   // of whole objects
  bool strategic = true;  // patches
};

// Selects the media types of a route: objects (also discovery), lists, /version.
enum class RouteKind { kObjects, kList, kVersion };

// Checks Accept as a built-in's route does first: 406 "form a" with the route's types. It supports
// no wildcard except */* and ignores parameters.
Result<void> check_route_accept(const Request& request, RouteKind kind,
                                const NegotiationOptions& options);

// Returns 406 "form b", with the types of objects and documents.
Failure not_acceptable(const NegotiationOptions& options);

// Returns the form of the answer. Errors: 406 "form b".
Result<Representation> negotiate(const Request& request, const Query& query, Offer offer,
                                 const NegotiationOptions& options);

// Returns whether JSON is indented: by `?pretty`, or else by the user agent.
bool wants_pretty(const Request& request, const Query& query);

// Returns the form of an error: as negotiate() without transformations, or else pretty JSON.
Representation negotiate_error(const Request& request, const Query& query,
                               const NegotiationOptions& options);

// Returns the encoding of a request body. Errors: 415. An empty header means JSON.
Result<codec::Encoding> body_encoding(const Request& request, const NegotiationOptions& options);

}  // namespace tabernetes::server
