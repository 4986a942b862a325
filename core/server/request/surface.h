// What a cluster serves, apart from its objects: never changes while the cluster lives, and is
// shared with its views and forks. So is what was encoded for one of them.
#pragma once

#include <memory>
#include <string_view>

#include "auth/token_file.h"
#include "auth/token_issuer.h"
#include "registry/resource_type.h"
#include "schema/schema.h"
#include "server/http/cors.h"
#include "server/openapi/documents.h"
#include "server/request/counted_names.h"
#include "server/request/encoded_objects.h"
#include "server/request/feature_gates.h"
#include "server/request/negotiation.h"
#include "tabernetes/options.h"

namespace tabernetes::server {

// Any thread may read it.
struct Surface : std::enable_shared_from_this<Surface> {
  explicit Surface(Options chosen)
      : options(std::move(chosen)),
        catalogue(schema::Catalogue::built_in()),
        built_in(std::make_shared<const registry::ResourceTable>(catalogue)),
        negotiation{.cbor = gate_enabled(options, catalogue, "CBORServingAndStorage")},
        encoded(options.encoded_bytes),
        compression(options.compression &&
                    gate_enabled(options, catalogue, "APIResponseCompression")),
        cors(options.cors_allowed_origins),
        openapi(catalogue, {.cbor = negotiation.cbor}, options.openapi_texts),
        watch_list(gate_enabled(options, catalogue, "WatchList")),
        token_file(options.token_file),
        token_issuer(options.service_account_key) {}
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  const Options options;
  const schema::Catalogue& catalogue;
  const std::shared_ptr<const registry::ResourceTable> built_in;  // without custom resources
  const NegotiationOptions negotiation;
  const EncodedObjects encoded;
  const CountedNames counted_names;
  const bool compression;  // of large answers, for those who take it
  const CorsPolicy cors;
  const OpenApiDocuments openapi;
  const bool watch_list;  // watches may begin with a list of what there is
  const auth::TokenFile token_file;
  const auth::TokenIssuer token_issuer;
};

}  // namespace tabernetes::server
