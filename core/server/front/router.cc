#include "server/front/router.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "admission/webhook_set.h"
#include "base/go/text.h"
#include "base/text/ascii.h"
#include "base/time/iso_date.h"
#include "json/fill.h"
#include "kinds/shared/legacy_tokens.h"
#include "registry/kind/kind_behaviour.h"
#include "server/access/authentication.h"
#include "server/access/authorization.h"
#include "server/access/impersonation.h"
#include "server/aggregation/aggregated_api.h"
#include "server/aggregation/aggregated_apis.h"
#include "server/audit/audit_trail.h"
#include "server/discovery/documents.h"
#include "server/discovery/metrics_page.h"
#include "server/encode/answer.h"
#include "server/front/custom_route.h"
#include "server/front/limit_filter.h"
#include "server/front/routes.h"
#include "server/http/request_deadline.h"
#include "server/http/request_info.h"
#include "server/http/text_answer.h"
#include "server/limits/limit_dumps.h"
#include "server/request/compression.h"
#include "server/verbs/verbs.h"

namespace tabernetes::server {
namespace {

bool has_verb(const RequestContext& call, std::string_view verb) {
  if (call.subresource == nullptr) return call.type->resource->has_verb(verb);
  for (const std::string_view own : call.subresource->verbs) {
    if (own == verb) return true;
  }
  return false;
}

// Rejects names that are invalid in paths. Source: spec/rest.md 1.3.
Result<void> check_path_name(const std::string& name) {
  std::string_view why;
  if (name == ".") why = "may not be '.'";
  if (name == "..") why = "may not be '..'";
  if (name.find('%') != std::string::npos) why = "may not contain '%'";
  if (why.empty()) return {};
  return errors::bad_request("Name parameter invalid: \"" + name + "\": " + std::string(why));
}

RequestKind::Verb counted_verb(const MethodRoute& route, const Request& request, bool watches) {
  using Verb = RequestKind::Verb;
  if (watches || route.write == &watch) return Verb::kWatch;
  if (route.read == &list) return Verb::kList;
  if (route.method == "GET") return Verb::kGet;
  if (route.method == "POST") return Verb::kPost;
  if (route.method == "PUT") return Verb::kPut;
  if (route.method == "DELETE") return Verb::kDelete;
  const std::string_view type = find_header(request.headers, "content-type");
  return type == "application/apply-patch+yaml" ? Verb::kApply : Verb::kPatch;
}

// Returns how the metrics count a call. Upstream 1.36: apiserver/pkg/endpoints/installer.go.
RequestKind counted_kind(const MethodRoute& route, const RequestContext& call, bool watches) {
  using Scope = RequestKind::Scope;
  const schema::Resource& resource = *call.type->resource;
  const bool defined = !call.type->built_in();
  const std::size_t type =
      defined ? call.server.metric_resource_ids.number_of(resource) : call.type->index + 1;
  if (type == 0) return {};
  RequestKind kind{
      .verb = counted_verb(route, call.request, watches),
      .scope = resource.namespaced && !call.ns.empty() ? Scope::kNamespace : Scope::kCluster,
      .dry_run = call.query.get("dryRun") == "All",
      .type = type};
  if (!call.name.empty() || kind.verb == RequestKind::Verb::kPost) kind.scope = Scope::kResource;
  if (call.subresource != nullptr && defined) {
    kind.subresource = call.subresource->name == kCustomParts[0] ? 1 : 2;
  } else if (call.subresource != nullptr) {
    kind.subresource =
        static_cast<std::size_t>(call.subresource - resource.subresources.data()) + 1;
  }
  return kind;
}

Result<Response> run(const MethodRoute& route, RequestContext& call, Cluster* writer) {
  const bool watches = route.read == &list && call.query.boolean("watch").value_or(false);
  call.kind = counted_kind(route, call, watches);
  if (call.name.empty() && (route.write == &update || route.write == &patch)) {
    return errors::bad_request("name must be provided");
  }
  // Only the writer calls webhooks.
  const bool asks = route.write != nullptr && route.read != nullptr &&
                    admission::has_webhooks(call.objects.tree());
  const bool reads = !asks && (writer != nullptr || !call.type->behaviour->may_need_webhook());
  if (route.read != nullptr && !watches && reads) return route.read(call);
  if (writer != nullptr) return watches ? watch(call, *writer) : route.write(call, *writer);
  call.needs_writer = true;
  return Response();
}

// Returns the route of a request for a custom resource.
Result<const MethodRoute*> custom_route(RequestContext& call, const ResourcePath& path) {
  TAB_TRY(const std::string_view verb, custom_verb(call, path));
  const MethodRoute* route = find_custom_route(verb);
  if (route == nullptr) return errors::route_not_found();
  return route;
}

// Returns the route of a request for objects. Errors: 404, 405, 406, 415 with the router's
// messages.
Result<const MethodRoute*> find_route(RequestContext& call, const ResourcePath& path) {
  call.type = call.resources.find(path.group, path.version, path.resource);
  if (call.type == nullptr) return errors::route_not_found();
  call.ns = path.ns;
  call.name = path.name;
  if (!path.subresource.empty()) {
    call.subresource = call.type->resource->find_subresource(path.subresource);
  }
  if (!call.type->built_in()) return custom_route(call, path);
  const std::span<const MethodRoute> routes = find_routes(path, *call.type);
  if (routes.empty()) {
    // For an unsupported subresource, at least the object must exist.
    if (call.subresource != nullptr) {
      TAB_CHECK(registry::get_object(call.objects.tree(), call.ref()));
    }
    return errors::route_not_found();
  }
  for (const MethodRoute& route : routes) {
    if (route.method != call.request.method || !has_verb(call, route.verb)) continue;
    if (route.write == &patch) TAB_CHECK(check_patch_media(call.request, call.negotiation()));
    // The media types of a node's answers are unknown here.
    if (route.write == &log || route.write == &connect_to_pod || route.write == &proxy)
      return &route;
    const bool is_list = route.read == &list || route.write == &watch;
    TAB_CHECK(check_route_accept(call.request, is_list ? RouteKind::kList : RouteKind::kObjects,
                                 call.negotiation()));
    return &route;
  }
  return errors::route_method_not_allowed();
}

Result<Response> call_route(const MethodRoute& route, RequestContext& call, Cluster* writer) {
  TAB_CHECK(check_path_name(call.name));
  const std::string_view deprecation = call.type->strategy->deprecation;
  if (!deprecation.empty()) {
    call.warnings.emplace_back(deprecation);
    if (call.audited.notes != nullptr) call.audited.notes->add("k8s.io/deprecated", "true");
  }
  return run(route, call, writer);
}

// Unknown routes of custom resources fall through to the next server in the chain, which knows
// none.
bool is_unknown_route(const ApiStatus& status) {
  return status.code == 404 && status.details && status.details->kind.empty();
}

// Returns the failure of a conversion webhook. A list without a limit comes from upstream's watch
// cache, which then cannot be filled.
Result<void> check_conversions(const RequestContext& call, const MethodRoute* route) {
  Result<void> converted = registry::may_persist(call.pending);
  const bool cached = route != nullptr && route->read == &list && call.query.get("limit").empty();
  if (converted || !cached) return converted;
  Failure fault = std::move(converted).failure();
  fault->message = "storage is (re)initializing: failed to list " + call.type->api_version +
                   ", Kind=" + std::string(call.type->resource->kind) + ": " + fault->message;
  fault->code = 429;
  fault->reason = "TooManyRequests";
  fault->details = StatusDetails{.retry_after_seconds = 1};
  return fault;
}

Response answer_resource(RequestContext& call, const ResourcePath& path, Cluster* writer) {
  const Result<const MethodRoute*> route = find_route(call, path);
  const bool custom = call.type == nullptr ? is_custom_group(call.resources.groups(), path.group)
                                           : !call.type->built_in();
  if (!route && custom && is_unknown_route(route.error())) return answer_unknown_path();
  if (!route && !custom) return answer_error(call.request, call.query, route.error());
  Result<Response> result =
      route ? call_route(**route, call, writer) : Result<Response>(route.error());
  Result<void> converted = check_conversions(call, route ? *route : nullptr);
  if (!converted) result = std::move(converted).failure();
  Response response =
      result ? std::move(*result)
             : answer_error(call.request, call.query, result.error(), call.negotiation());
  compress_if_large(call.request, call.server, response);
  return response;
}

// Returns true for /watch and /proxy without further segments.
bool lacks_kind(const std::vector<std::string>& segments, std::size_t after_version) {
  return segments.size() == after_version + 1 &&
         (segments[after_version] == "watch" || segments[after_version] == "proxy");
}

// Returns true if Go's server can parse the path of a request line.
bool is_well_formed(std::string_view path) {
  if (!path.starts_with('/') && path != "*") return false;
  for (std::size_t at = path.find('%'); at != path.npos; at = path.find('%', at + 1)) {
    if (at + 2 >= path.size() || !is_hex(path[at + 1]) || !is_hex(path[at + 2])) return false;
  }
  return true;
}

Response answer_malformed() {
  Response response;
  response.status = 400;
  response.headers = {{"Content-Type", std::string(kTextPlain)}, {"Connection", "close"}};
  response.body = Rope("400 Bad Request");
  return response;
}

std::string html_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  }
  return escaped;
}

Response answer_undeterminable(std::string_view target) {
  const std::string text = html_escaped(target);
  Response response =
      answer_text(500, "Internal Server Error: \"" + text +
                           "\": failed to create RequestInfo: unable to determine kind and "
                           "namespace from url, " +
                           text + "\n");
  // Upstream fails before the filter that adds the header.
  std::erase_if(response.headers,
                [](const auto& header) { return header.first == "Cache-Control"; });
  return response;
}

bool asks_as_somebody_else(const Headers& headers) {
  return std::any_of(headers.begin(), headers.end(),
                     [](const auto& header) { return header.first.starts_with("impersonate-"); });
}

enum class Caller { kUnknown, kKnown };

// Notes who asks for what, for the audit log.
void identify(const RequestContext& call, const RequestAttributes& wanted, Caller caller) {
  if (call.audited.trail == nullptr) return;
  call.audited.trail->identify(wanted.of(call), caller == Caller::kKnown, call.long_running);
}

// Finds out who asks. Errors: those of authentication and impersonation.
Result<void> know_caller(RequestContext& call, const RequestAttributes& wanted) {
  Result<void> known = authenticate(call);
  identify(call, wanted, known ? Caller::kKnown : Caller::kUnknown);
  TAB_CHECK(std::move(known));
  if (asks_as_somebody_else(call.request.headers)) TAB_CHECK(impersonate(call, wanted));
  return {};
}

Response answer_refusal(const RequestContext& call, const ApiStatus& status) {
  Response refusal = answer_error(call.request, call.query, status);
  if (refusal.status != 401) refusal.headers.emplace_back("X-Content-Type-Options", "nosniff");
  return refusal;
}

// Answers a request that no authorizer allows, and of which one cannot say more.
Response answer_undecided(const RequestContext& call, const std::string& error) {
  const std::string text = "Internal Server Error: " + go_quote(call.request.target) + ": " + error;
  Response response = answer_text(500, html_escaped(text) + "\n");
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  return response;
}

// Returns the refusal of authorization, if there is one.
std::optional<Response> refuse_action(RequestContext& call, const auth::Attributes& attributes) {
  const auth::Decision decision = call.authorizer.authorize(attributes);
  if (call.audited.trail != nullptr) {
    call.audited.trail->decide(decision);
    if (RequestExplanation* explanation = call.audited.trail->explanation()) {
      explanation->set_access(call.authorizer, attributes);
    }
  }
  if (decision.verdict == auth::Verdict::kAllow) return std::nullopt;
  if (!decision.error.empty()) return answer_undecided(call, decision.error);
  const Failure refused = auth::forbidden(attributes, decision.reason);
  return answer_refusal(call, *refused);
}

// Returns whether the request is run again, once a webhook has answered.
bool waits_for_answers(const RequestContext& call) {
  return call.pending != nullptr && call.pending->incomplete();
}

// Labels the Secret by whose token the caller is known with the day.
void note_use_of_secret(const RequestContext& call, Cluster& cluster) {
  const registry::ResourceType* secrets = call.resources.find("", "v1", "secrets");
  registry::WriteContext context{.arena = call.arena, .now = call.now};
  context.manager = "kube-apiserver";
  const auto label = [&](const json::Value* stored) -> Result<json::Value> {
    if (stored == nullptr) return errors::route_not_found();
    json::Value secret = stored->clone(call.arena);
    object_or_new(*secret.find("metadata"), "labels", call.arena)
        .set(call.arena, registry::kinds::kLastUsed,
             json::Value::string(call.arena.copy(format_date(call.now))));
    return secret;
  };
  // A use that cannot be noted stays one.
  (void)cluster.registry.update(context, {secrets, call.used_secret->ns, call.used_secret->name},
                                registry::Subresource::kNone, label);
}

// Answers a page that shows what runs and waits, as the writer knows it.
Response answer_limit_dump(RequestContext& call, std::string_view path) {
  const Limited& limited = call.limited;
  if (limited.table == nullptr || !limited.table->by_priority) return answer_unknown_path();
  call.needs_writer = limited.limits == nullptr;
  if (call.needs_writer) return Response();
  const bool details = !call.query.get("includeRequestDetails").empty();
  Response response;
  response.headers = {{"Cache-Control", "no-cache, private"},
                      {"Content-Type", std::string(kTextPlain)}};
  response.body = Rope(limit_dump(limited.limits->levels(), path, details));
  return response;
}

// Has another server answer.
Response forward(RequestContext& call, const AggregatedApi& api, const Cluster* writer) {
  if (!api.available) return answer_unavailable();
  if (writer == nullptr) {
    call.needs_writer = true;
    return Response();
  }
  const Request& request = call.request;
  ProxyCall made =
      call_of(api, request.method, request.target, call.user, request.headers, writer->registry);
  made.body = request.body;
  add_forwarded_for(request, made.headers);
  add_upgrade(request, made);
  call.forwarded = std::make_shared<ProxyCall>(std::move(made));
  return Response();
}

// Returns the API whose server answers the request: that of the path, or the one with a document of
// OpenAPI v3 that this server does not have.
std::optional<AggregatedApi> api_behind(const RequestContext& call, std::string_view path,
                                        const std::vector<std::string>& segments) {
  const bool measures = runs_kubelets(call.server.options);
  const store::Tree& tree = call.objects.tree();
  constexpr std::string_view kDocuments = "/openapi/v3/";
  if (!path.starts_with(kDocuments)) {
    return find_aggregated_api(call.resources, tree, segments, measures);
  }
  if (call.aggregated == nullptr) return std::nullopt;
  const std::string_view key = path.substr(kDocuments.size());
  const AggregatedPart* part = call.aggregated->with_document(key);
  if (part == nullptr) return std::nullopt;
  const bool of_group = key.substr(key.find('/') + 1) == part->group;
  if (of_group && serves_group(call.resources.groups(), part->group)) return std::nullopt;
  return find_aggregated_api(call.resources, tree, {"apis", part->group, part->version}, measures);
}

// Answers a request after the outer filters.
Response answer_routed(RequestContext& call, std::string_view path,
                       const std::vector<std::string>& segments,
                       const std::optional<ResourcePath>& resource, Cluster* writer) {
  const RequestAttributes wanted(call, path, resource ? &*resource : nullptr);
  const Result<void> known = know_caller(call, wanted);
  if (call.used_secret && writer == nullptr) {
    call.needs_writer = true;
    return Response();
  }
  if (call.used_secret && !waits_for_answers(call)) note_use_of_secret(call, *writer);
  if (!known) return answer_refusal(call, known.error());
  const auth::Attributes attributes = wanted.of(call);
  const Passage passage = meet_limits(call, attributes, path);
  if (passage == Passage::kWaits) return Response();
  if (passage == Passage::kRefused) return answer_too_many(call, attributes);
  if (auto refusal = refuse_action(call, attributes)) return std::move(*refusal);
  if (path.starts_with("//")) return answer_unknown_path();
  if (const auto api = api_behind(call, path, segments)) return forward(call, *api, writer);
  if (path == "/metrics" || path == "/metrics/slis") return answer_metrics(call, path, writer);
  if (is_limit_dump(path)) return answer_limit_dump(call, path);
  if (!resource) return answer_document(call, path, segments);
  // Kinds not established yet are served, although their group is not in discovery.
  if (segments[0] == "apis" && !serves_group(call.resources.groups(), segments[1]) &&
      call.resources.find(resource->group, resource->version, resource->resource) == nullptr) {
    return answer_unknown_path();
  }
  return answer_resource(call, *resource, writer);
}

// Runs the filters that every request passes, outermost first. Source: spec/rest.md 1.1.
Response answer(RequestContext& call, std::string_view path, Cluster* writer) {
  if (!is_well_formed(path)) return answer_malformed();
  const std::vector<std::string> segments = path_segments(path);
  const std::optional<ResourcePath> resource = find_resource_path(segments);
  if (resource && lacks_kind(segments, segments[0] == "api" ? 2 : 3)) {
    return answer_undeterminable(call.request.target);
  }
  call.long_running = is_long_running(call.request, call.query, resource ? &*resource : nullptr);
  if (!call.long_running) {
    const Result<Duration> deadline =
        request_deadline(call.query, call.server.options.request_timeout);
    if (!deadline) {
      const ResourcePath* asked = resource ? &*resource : nullptr;
      identify(call, RequestAttributes(call, path, asked), Caller::kUnknown);
      return answer_error(call.request, call.query, deadline.error());
    }
    call.deadline = *deadline;
  }
  if (auto preflight = call.server.cors.answer_preflight(call.request)) {
    call.server.cors.add_headers(call.request, *preflight);
    return std::move(*preflight);
  }
  Response response = answer_routed(call, path, segments, resource, writer);
  add_warnings(call.warnings, response);
  add_flow_headers(call, response);
  call.server.cors.add_headers(call.request, response);
  return response;
}

}  // namespace

Routed route(const ReadContext& reading, Cluster* writer, const Request& request) {
  const std::string_view target = request.target;
  const std::size_t mark = target.find('?');
  // The writer handles one call at a time, so it reuses its arena.
  json::Arena own;
  json::Arena& arena = writer != nullptr ? writer->arena : own;
  RequestContext call(reading, request, arena);
  if (mark != std::string_view::npos) call.query = Query::parse(target.substr(mark + 1));
  Response response = answer(call, target.substr(0, mark), writer);
  arena.clear();
  return {.response = std::move(response),
          .needs_writer = call.needs_writer,
          .waits_for_revision = call.waits_for_revision,
          .deadline = call.deadline,
          .kind = call.kind,
          .user = std::move(call.user.name),
          .flow = call.flow,
          .seats = call.seats,
          .unheard_write = call.unheard_write,
          .waits_for_seat = call.waits_for_seat,
          .forwarded = std::move(call.forwarded)};
}

void take_seat(const ReadContext& reading, const Request& request) {
  const std::string_view target = request.target;
  const std::size_t mark = target.find('?');
  const std::string_view path = target.substr(0, mark);
  json::Arena arena;
  RequestContext call(reading, request, arena);
  if (mark != std::string_view::npos) call.query = Query::parse(target.substr(mark + 1));
  const auto resource = find_resource_path(path_segments(path));
  const ResourcePath* const asked = resource ? &*resource : nullptr;
  call.long_running = is_long_running(request, call.query, asked);
  const auto deadline = request_deadline(call.query, call.server.options.request_timeout);
  if (!deadline) return;
  if (!call.long_running) call.deadline = *deadline;
  const RequestAttributes wanted(call, path, asked);
  if (know_caller(call, wanted)) meet_limits(call, wanted.of(call), path);
}

std::optional<Response> refuse_control(const ReadContext& reading, const Request& request) {
  const std::string_view target = request.target;
  json::Arena arena;
  RequestContext call(reading, request, arena);
  const RequestAttributes wanted(call, target.substr(0, target.find('?')), nullptr);
  const Result<void> known = know_caller(call, wanted);
  if (!known) return answer_refusal(call, known.error());
  return refuse_action(call, wanted.of(call));
}

}  // namespace tabernetes::server
