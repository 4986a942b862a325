#include "server/discovery/documents.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/crypto/hash.h"
#include "codec/json_writer.h"
#include "server/aggregation/aggregated_apis.h"
#include "server/discovery/aggregated_discovery.h"
#include "server/discovery/discovery.h"
#include "server/discovery/health.h"
#include "server/discovery/index.h"
#include "server/discovery/openapi_endpoint.h"
#include "server/discovery/openid_endpoints.h"
#include "server/discovery/zpages.h"
#include "server/encode/answer.h"
#include "server/http/version.h"
#include "server/openapi/custom_documents.h"
#include "server/openapi/path.h"
#include "server/request/compression.h"

namespace tabernetes::server {
namespace {

using json::Value;

Response answer_text_document(const TextResponse& answer) {
  Response response;
  response.status = answer.status;
  response.headers = {{"Cache-Control", std::string(answer.cache_control)}};
  if (!answer.content_type.empty()) {
    response.headers.emplace_back("Content-Type", std::string(answer.content_type));
  }
  if (answer.no_sniff) response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  response.body = Rope(answer.body);
  return response;
}

// Negotiated documents are compressed like objects.
Response finished(const RequestContext& call, Response response) {
  compress_if_large(call.request, call.server, response);
  return response;
}

Response answer_status(const RequestContext& call, const ApiStatus& status) {
  return answer_error(call.request, call.query, status);
}

// CBOR is never listed for the documents of groups, regardless of the feature gate.
constexpr NegotiationOptions kWithoutCbor;

// Returns a discovery document in the negotiated encoding.
Response answer_plain(RequestContext& call, const Value& document,
                      const NegotiationOptions& options) {
  const auto form = negotiate(call.request, call.query, Offer::kDocuments, options);
  if (!form) return answer_error(call.request, call.query, form.error(), options);
  return finished(call, answer_tree(*form, 200, document));
}

// The form of discovery selected by the first satisfiable clause of Accept.
enum class DiscoveryForm { kPlain, kAggregated, kNone };

DiscoveryForm discovery_form(const Request& request) {
  for (const codec::AcceptClause& clause :
       codec::parse_accept(find_header(request.headers, "accept"))) {
    const bool any = clause.type == "*";
    if (!any && clause.type != "application") continue;
    if (clause.subtype != "*" && clause.subtype != "json" && clause.subtype != "yaml" &&
        clause.subtype != "vnd.kubernetes.protobuf") {
      continue;
    }
    if (!clause.parameter("sv").empty()) continue;
    const std::string_view as = clause.parameter("as");
    const std::string_view group = clause.parameter("g");
    const std::string_view version = clause.parameter("v");
    if (as.empty() && group.empty() && version.empty()) return DiscoveryForm::kPlain;
    if (as == "APIGroupDiscoveryList" && group == "apidiscovery.k8s.io" && version == "v2") {
      return DiscoveryForm::kAggregated;
    }
  }
  return DiscoveryForm::kNone;
}

Representation aggregated_form(const RequestContext& call) {
  Representation form{.pretty = wants_pretty(call.request, call.query)};
  for (const codec::AcceptClause& clause :
       codec::parse_accept(find_header(call.request.headers, "accept"))) {
    if (clause.parameter("as").empty()) continue;
    if (clause.subtype == "yaml") form.encoding = codec::Encoding::kYaml;
    if (clause.subtype == "vnd.kubernetes.protobuf") form.encoding = codec::Encoding::kProtobuf;
    if (clause.parameter("pretty") == "1") form.pretty = true;
    break;
  }
  return form;
}

// Returns the quoted hash of the list's JSON without kind and apiVersion.
std::string aggregated_tag(const Value& document) {
  std::string json;
  codec::write_json(document, json);
  json.replace(0, std::min(json.find(R"("metadata")"), json.size()), "{");
  return "\"" + sha512_hex_upper(json) + "\"";
}

Response answer_aggregated(RequestContext& call, const Value& document) {
  const std::string etag = aggregated_tag(document);
  const Representation form = aggregated_form(call);
  const bool unchanged = find_header(call.request.headers, "if-none-match") == etag;
  Response response = answer_tree(form, 200, document);
  if (unchanged) {
    response.status = 304;
    response.body = Rope();
    response.headers.clear();
  } else {
    response.headers = {{"Content-Type", std::string(content_type(form)) +
                                             std::string(kAggregatedDiscoveryParameters)}};
  }
  response.headers.emplace_back("Cache-Control", "public");
  response.headers.emplace_back("Etag", etag);
  response.headers.emplace_back("Vary", "Accept");
  return finished(call, std::move(response));
}

std::string_view address_of(const RequestContext& call) {
  const std::string& local = call.request.peer.local_address;
  return local.empty() ? std::string_view(call.server.options.server_address)
                       : std::string_view(local);
}

// go-restful routes accept GET only, and check Accept twice.
std::optional<Response> refuse_route(RequestContext& call, const NegotiationOptions& options) {
  if (call.request.method != "GET") return answer_status(call, errors::route_method_not_allowed());
  const auto accepted = check_route_accept(call.request, RouteKind::kObjects, options);
  if (!accepted) return answer_status(call, accepted.error());
  return std::nullopt;
}

Response answer_core_versions(RequestContext& call) {
  if (auto refused = refuse_route(call, kWithoutCbor)) return std::move(*refused);
  const DiscoveryForm form = discovery_form(call.request);
  if (form == DiscoveryForm::kAggregated) {
    return answer_aggregated(call, aggregated_api(call.resources.groups(), call.arena));
  }
  if (form == DiscoveryForm::kNone) return answer_status(call, not_acceptable(kWithoutCbor));
  return answer_plain(call, api_versions(address_of(call), call.arena), kWithoutCbor);
}

Response answer_groups(RequestContext& call, bool with_slash) {
  // With a trailing slash the aggregated form is not supported.
  const DiscoveryForm form = with_slash ? DiscoveryForm::kPlain : discovery_form(call.request);
  if (form == DiscoveryForm::kAggregated) {
    Value document = aggregated_apis(call.resources.groups(), call.arena);
    if (call.aggregated != nullptr) {
      add_to_discovery(document, call.resources.groups(), call.aggregated->parts(), call.arena);
    }
    return answer_aggregated(call, document);
  }
  if (form == DiscoveryForm::kNone) return answer_status(call, not_acceptable(kWithoutCbor));
  Value document = api_group_list(call.resources.groups(), call.arena);
  if (call.aggregated != nullptr) {
    add_to_group_list(document, call.resources.groups(), call.aggregated->parts(), call.arena);
  }
  return answer_plain(call, document, kWithoutCbor);
}

Response answer_resources(RequestContext& call, std::string_view group, std::string_view version) {
  const auto document =
      api_resource_list(call.resources.groups(), group, version,
                        call.server.gates.enabled("StorageVersionHash"), call.arena);
  // Documents of custom resources are served before the routes.
  const bool custom = is_custom_group(call.resources.groups(), group);
  if (!document && custom) return answer_unknown_path();
  if (!document) return answer_status(call, errors::route_not_found());
  if (!custom) {
    if (auto refused = refuse_route(call, call.server.negotiation)) return std::move(*refused);
  }
  return answer_plain(call, *document, call.server.negotiation);
}

Response answer_group(RequestContext& call, std::string_view group) {
  Value document = api_group(call.resources.groups(), group, call.arena).value_or(Value());
  if (call.aggregated != nullptr) {
    document = with_parts(document, group, call.aggregated->parts(), call.arena);
  }
  if (!document.is_object()) return answer_unknown_path();
  // The aggregator's own group has a route; other groups are served before the routes.
  if (group == "apiregistration.k8s.io") {
    if (auto refused = refuse_route(call, kWithoutCbor)) return std::move(*refused);
  }
  return answer_plain(call, document, kWithoutCbor);
}

// The route of /version accepts GET and JSON only.
Response answer_version_document(RequestContext& call) {
  if (call.request.method != "GET") return answer_status(call, errors::route_method_not_allowed());
  const auto accepted = check_route_accept(call.request, RouteKind::kVersion, kWithoutCbor);
  if (!accepted) return answer_status(call, accepted.error());
  return answer_text_document(answer_version());
}

// Returns how the metrics count a health request; single checks are not counted.
RequestKind counted_health(const Request& request, std::string_view path) {
  using Endpoint = RequestKind::Endpoint;
  const Endpoint endpoint = path == "/healthz"  ? Endpoint::kHealthz
                            : path == "/livez"  ? Endpoint::kLivez
                            : path == "/readyz" ? Endpoint::kReadyz
                                                : Endpoint::kNone;
  const bool counted = endpoint != Endpoint::kNone && request.method == "GET";
  return {.verb = counted ? RequestKind::Verb::kGet : RequestKind::Verb::kUncounted,
          .endpoint = endpoint};
}

// Returns the documents of this server that are visible to the call, including custom resources if
// there are any.
std::shared_ptr<const OpenApiDocuments> own_documents(const RequestContext& call) {
  if (call.resources.defined().empty()) return {std::shared_ptr<void>(), &call.server.openapi};
  const auto& documents = call.resources.documents().get_or_make([&] {
    return std::shared_ptr<const void>(std::make_shared<const OpenApiDocuments>(
        call.server.openapi,
        std::make_unique<const CustomDocuments>(call.resources, call.objects.tree())));
  });
  return std::static_pointer_cast<const OpenApiDocuments>(documents);
}

// Returns all documents: those of aggregated APIs, too.
std::shared_ptr<const OpenApiDocuments> openapi_documents(const RequestContext& call) {
  auto own = own_documents(call);
  return call.aggregated == nullptr ? own : call.aggregated->documents(std::move(own));
}

OpenApiCall openapi_call(RequestContext& call, const OpenApiDocuments& documents) {
  return {.documents = documents,
          .request = call.request,
          .hash = call.query.get("hash"),
          .modified = call.server.options.now,
          .now = call.now};
}

// Returns the keys that sign service account tokens.
// Returns the refusal of a request to a route of OpenID that answers GET with `type` only.
std::optional<Response> refuse_openid(const RequestContext& call, std::string_view type) {
  if (call.request.method != "GET") return answer_status(call, errors::route_method_not_allowed());
  const std::string_view accept = find_header(call.request.headers, "accept");
  if (accept.empty() || accept.find(type) != std::string_view::npos ||
      accept.find("*/*") != std::string_view::npos) {
    return std::nullopt;
  }
  const Failure failure = errors::not_acceptable(
      "406: Not Acceptable\n\nAvailable representations: " + std::string(type));
  failure->details.emplace();
  return answer_status(call, failure);
}

Response answer_key_set(const RequestContext& call) {
  constexpr std::string_view kType = "application/jwk-set+json";
  if (auto refusal = refuse_openid(call, kType)) return std::move(*refusal);
  return answer_text_document(
      {200, kType, call.server.token_issuer.key_set(), false, "public, max-age=3600"});
}

Response answer_issuer(const RequestContext& call) {
  if (auto refusal = refuse_openid(call, kApplicationJson)) return std::move(*refusal);
  return answer_text_document(openid_configuration(address_of(call)));
}

}  // namespace

bool serves_group(const Groups& groups, std::string_view group) {
  for (const schema::Group* known : groups) {
    if (known->name == group && !group.empty()) return !served_versions(*known).empty();
  }
  return false;
}

bool is_custom_group(const Groups& groups, std::string_view name) {
  return std::any_of(groups.begin(), groups.end(), [&](const schema::Group* group) {
    return group->custom && group->name == name;
  });
}

Response answer_document(RequestContext& call, std::string_view path,
                         const std::vector<std::string>& segments) {
  const bool with_slash = path.size() > 1 && path.back() == '/';
  if (segments.empty() || path == "/index.html") {
    return answer_text_document(answer_index(call.resources.groups(), call.storage.shared));
  }
  const std::string& first = segments[0];
  if (first == "api") {
    return segments.size() == 1 ? answer_core_versions(call)
                                : answer_resources(call, "", segments[1]);
  }
  if (first == "apis") {
    if (segments.size() == 1) return answer_groups(call, with_slash);
    if (segments.size() == 2) return answer_group(call, segments[1]);
    if (!serves_group(call.resources.groups(), segments[1])) return answer_unknown_path();
    return answer_resources(call, segments[1], segments[2]);
  }
  if (first == "version" && segments.size() == 1) return answer_version_document(call);
  if (is_openapi_path(path)) {
    const std::shared_ptr<const OpenApiDocuments> documents = openapi_documents(call);
    if (path != "/openapi/v2") return answer_openapi_v3(openapi_call(call, *documents), path);
    Response response = answer_openapi_v2(openapi_call(call, *documents));
    compress_if_accepted(call.request, call.server, response);
    return response;
  }
  const HealthQuery health{.verbose = call.query.has("verbose"),
                           .exclude = call.query.all("exclude"),
                           .storage = call.storage};
  if (const auto answer = answer_health(path, health)) {
    call.kind = counted_health(call.request, path);
    return answer_text_document(*answer);
  }
  if (path == "/statusz" || path == "/flagz") return answer_zpage(call, path);
  if (path == "/openid/v1/jwks") return answer_key_set(call);
  if (path == "/.well-known/openid-configuration") return answer_issuer(call);
  if (const auto answer = answer_profile(path)) return answer_text_document(*answer);
  return answer_unknown_path();
}

}  // namespace tabernetes::server
