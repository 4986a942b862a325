// The configuration of a cluster and everything derived from it: constant during the cluster's
// life, and shared with views and forks, together with the encoding cache.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "auth/abac.h"
#include "auth/authentication_configuration.h"
#include "auth/authorization_configuration.h"
#include "auth/token_file.h"
#include "auth/token_issuer.h"
#include "auth/token_webhook.h"
#include "kinds/table/built_in_kind.h"
#include "registry/kind/resource_type.h"
#include "schema/feature_gates.h"
#include "schema/gated_fields.h"
#include "schema/schema.h"
#include "server/http/cors.h"
#include "server/openapi/documents.h"
#include "server/request/encoding_cache.h"
#include "server/request/metric_resource_ids.h"
#include "server/request/negotiation.h"
#include "tabernetes/options.h"

namespace tabernetes::server {

// Returns true if the cluster has simulated kubelets.
inline bool runs_kubelets(const Options& options) {
  return std::find(options.controllers.begin(), options.controllers.end(), "kubelet") !=
         options.controllers.end();
}

// Safe to read on any thread.
struct ServerContext : std::enable_shared_from_this<ServerContext> {
  explicit ServerContext(Options chosen)
      : options(std::move(chosen)),
        catalogue(schema::Catalogue::built_in()),
        gated_fields(schema::FeatureGates(options.feature_gates)),
        built_in(registry::built_in_resources()),
        negotiation{.cbor = gates.enabled("CBORServingAndStorage")},
        encoded(options.encoded_bytes),
        compression(options.compression && gates.enabled("APIResponseCompression")),
        cors(options.cors_allowed_origins),
        openapi(catalogue, {.cbor = negotiation.cbor, .enums = gates.enabled("OpenAPIEnums")},
                options.openapi_texts),
        watch_list(gates.enabled("WatchList")),
        lists_by_size(gates.enabled("SizeBasedListCostEstimate")),
        authorization(auth::authorization_of(options)),
        authentication(auth::authentication_of(options)),
        token_webhook(auth::token_webhook_of(options)),
        abac(options.authorization_policy),
        token_file(options.token_file),
        token_issuer(options.service_account_key, options.service_account_verification_keys) {}
  ServerContext(const ServerContext&) = delete;
  ServerContext& operator=(const ServerContext&) = delete;

  const Options options;
  const schema::Catalogue& catalogue;
  const schema::GatedFields gated_fields;
  const schema::FeatureGates& gates = gated_fields.gates();
  const std::shared_ptr<const registry::ResourceTable> built_in;  // without custom resources
  const NegotiationOptions negotiation;
  const EncodingCache encoded;
  const MetricResourceIds metric_resource_ids;
  const bool compression;  // of large answers, if the client accepts it
  const CorsPolicy cors;
  const OpenApiDocuments openapi;
  const bool watch_list;     // watches may begin with a list of the existing objects
  const bool lists_by_size;  // lists take seats by their bytes, not by their objects
  const auth::AuthorizationConfiguration authorization;
  const auth::AuthenticationConfiguration authentication;
  const std::optional<auth::TokenWebhook> token_webhook;
  const auth::AbacPolicies abac;
  const auth::CurrentTokenFile token_file;
  const auth::TokenIssuer token_issuer;

  bool allows_everything() const {
    return authorization.modes.size() == 1 &&
           authorization.modes.front() == Authorization::kAlwaysAllow;
  }
  // Returns whether tokens of others are known.
  bool knows_other_tokens() const {
    return token_webhook.has_value() || !authentication.issuers.empty();
  }
  // Returns whether webhooks or issuers are asked who callers are or what they may do. Only the
  // writer can.
  bool asks_about_callers() const {
    return !authorization.webhooks.empty() || knows_other_tokens();
  }
};

}  // namespace tabernetes::server
