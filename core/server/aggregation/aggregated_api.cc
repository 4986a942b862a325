#include "server/aggregation/aggregated_api.h"

#include <algorithm>
#include <cstdio>

#include "base/text/base64.h"
#include "json/access.h"
#include "registry/meta/conditions.h"
#include "registry/objects/object_record.h"
#include "server/encode/answer.h"
#include "server/pending/service_route.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr Duration kRequestTimeout = Duration::from_seconds(60);
constexpr registry::ObjectReader::Resource kServicesOfApis{"", "v1", "services"};
constexpr std::string_view kServiceMember = "\"service\":{";

// Headers of the connection, of the caller's credentials, and those that this server writes anew.
constexpr std::string_view kNotForwarded[] = {"authorization",
                                              "connection",
                                              "content-length",
                                              "expect",
                                              "host",
                                              "keep-alive",
                                              "te",
                                              "trailer",
                                              "trailers",
                                              "transfer-encoding",
                                              "upgrade",
                                              "x-forwarded-for"};
constexpr std::string_view kNotForwardedPrefixes[] = {"impersonate-", "proxy-", "sec-websocket-",
                                                      "x-remote-"};
constexpr std::string_view kNotAnswered[] = {
    "audit-id", "connection",        "content-length",     "date",   "keep-alive", "te",
    "trailer",  "transfer-encoding", "proxy-authenticate", "upgrade"};

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

template <std::size_t kCount>
bool is_one_of(std::string_view name, const std::string_view (&names)[kCount]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool is_forwarded(std::string_view name) {
  if (is_one_of(name, kNotForwarded)) return false;
  return std::none_of(std::begin(kNotForwardedPrefixes), std::end(kNotForwardedPrefixes),
                      [&](std::string_view prefix) { return name.starts_with(prefix); });
}

// Escapes what may not be in the name of a header, as client-go does.
std::string escape_key(std::string_view key) {
  std::string escaped;
  for (const char c : key) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       std::string_view("!#$&'*+-.^_`|~").find(c) != std::string_view::npos;
    if (plain) {
      escaped += c;
    } else {
      char text[4];
      std::snprintf(text, sizeof text, "%%%02X", static_cast<unsigned char>(c));
      escaped += text;
    }
  }
  return escaped;
}

void add_user(Headers& headers, const auth::User& user) {
  headers.emplace_back("X-Remote-User", user.name);
  if (!user.uid.empty()) headers.emplace_back("X-Remote-Uid", user.uid);
  for (const std::string& group : user.groups) headers.emplace_back("X-Remote-Group", group);
  for (const auto& [key, values] : user.extra) {
    for (const std::string& value : values) {
      headers.emplace_back("X-Remote-Extra-" + escape_key(key), value);
    }
  }
}

// Watches and what lasts as long as them have no time limit.
bool is_endless(std::string_view method, std::string_view target) {
  if (method != "GET") return false;
  return target.find("watch=true") != std::string_view::npos ||
         target.find("watch=1") != std::string_view::npos ||
         target.find("follow=true") != std::string_view::npos ||
         target.find("/watch/") != std::string_view::npos;
}

}  // namespace

std::optional<AggregatedApi> read_aggregated_api(const Value& object) {
  const Value* service = object.at({"spec", "service"});
  if (service == nullptr || !service->is_object()) return std::nullopt;
  const Value& spec = *object.find("spec");
  AggregatedApi api;
  api.name = text_at(object, {"metadata", "name"});
  api.group = spec.string_at("group");
  api.version = spec.string_at("version");
  api.service_namespace = service->string_at("namespace");
  api.service_name = service->string_at("name");
  if (has(*service, {"port"})) api.port = static_cast<int>(number_at(*service, {"port"}));
  api.ca_bundle = base64_decode(spec.string_at("caBundle")).value_or(std::string());
  api.insecure = bool_at(spec, {"insecureSkipTLSVerify"});
  api.available = registry::condition_is_true(object, "Available");
  api.group_priority = static_cast<int>(number_at(spec, {"groupPriorityMinimum"}));
  api.version_priority = static_cast<int>(number_at(spec, {"versionPriority"}));
  return api;
}

bool service_exists(const registry::ResourceTable& resources, const store::Tree& tree,
                    const AggregatedApi& api) {
  const registry::ResourceType& services = *resources.find("", "v1", "services");
  return tree.find(services.key(api.service_namespace, api.service_name)) != nullptr;
}

bool is_own_metrics(const registry::ResourceTable& resources, const store::Tree& tree,
                    const AggregatedApi& api, bool measures) {
  return measures && api.group == "metrics.k8s.io" && !service_exists(resources, tree, api);
}

std::optional<AggregatedApi> find_aggregated_api(const registry::ResourceTable& resources,
                                                 const store::Tree& tree,
                                                 const std::vector<std::string>& segments,
                                                 bool measures) {
  if (segments.size() < 3 || segments[0] != "apis") return std::nullopt;
  const registry::ResourceType& type =
      *resources.find("apiregistration.k8s.io", "v1", "apiservices");
  const store::RecordPtr record = tree.find(type.key({}, segments[2] + "." + segments[1]));
  if (record == nullptr || record->bytes.find(kServiceMember) == std::string::npos)
    return std::nullopt;
  json::Arena arena;
  std::optional<AggregatedApi> api =
      read_aggregated_api(registry::read_object(type, *record, arena));
  if (api && is_own_metrics(resources, tree, *api, measures)) return std::nullopt;
  return api;
}

ProxyCall call_of(const AggregatedApi& api, std::string_view method, std::string_view target,
                  const auth::User& user, const Headers& headers,
                  const registry::ObjectReader& objects) {
  const std::string port = std::to_string(api.port);
  ProxyCall call;
  call.method = method;
  call.url = "https://" + api.service_name + "." + api.service_namespace + ".svc:" + port;
  call.url += target;
  call.ca_bundle = api.ca_bundle;
  call.insecure = api.insecure;
  call.service = {api.service_name + "." + api.service_namespace + ":" + port,
                  route_to_service(objects, api.service_namespace, api.service_name, api.port)};
  if (!is_endless(method, target)) call.patience = kRequestTimeout;
  for (const auto& [name, value] : headers) {
    if (is_forwarded(name)) call.headers.emplace_back(name, value);
  }
  add_user(call.headers, user);
  return call;
}

void add_upgrade(const Request& request, ProxyCall& call) {
  const std::string_view protocol = find_header(request.headers, "upgrade");
  const std::string connection = lower_case(find_header(request.headers, "connection"));
  if (protocol.empty() || connection.find("upgrade") == std::string::npos) return;
  call.upgrade = {{"Connection", "Upgrade"}, {"Upgrade", std::string(protocol)}};
  for (const auto& [name, value] : request.headers) {
    if (name.starts_with("sec-websocket-")) call.upgrade.emplace_back(name, value);
  }
  call.patience = Duration{};  // it may last
}

void add_forwarded_for(const Request& request, Headers& headers) {
  std::string chain(find_header(request.headers, "x-forwarded-for"));
  if (!request.peer.remote_address.empty()) {
    chain += (chain.empty() ? "" : ", ") + request.peer.remote_address;
  }
  if (!chain.empty()) headers.emplace_back("X-Forwarded-For", chain);
}

std::string service_host(const AggregatedApi& api, const registry::ObjectReader& objects) {
  json::Arena arena;
  const Value service =
      objects.find_object(kServicesOfApis, api.service_namespace, api.service_name, arena);
  std::string host(text_at(service, {"spec", "type"}) == "ExternalName"
                       ? text_at(service, {"spec", "externalName"})
                       : text_at(service, {"spec", "clusterIP"}));
  if (host.find(':') != std::string::npos) host = "[" + host + "]";
  return host + ":" + std::to_string(api.port);
}

std::string header_of(const ProxyAnswer& answer, std::string_view name) {
  for (const auto& [given, value] : answer.headers) {
    if (lower_case(given) == name) return value;
  }
  return {};
}

Response answer_of(ProxyAnswer answer, std::unique_ptr<Stream> body) {
  if (answer.fault && answer.status == 0) {
    return answer_text(503, "error trying to reach service: " + answer.fault->message + "\n");
  }
  Response response;
  response.status = answer.status;
  const auto is_answered = [&](std::string_view name) {
    const bool upgrades = answer.status == 101 && (name == "connection" || name == "upgrade");
    return upgrades || !is_one_of(name, kNotAnswered);
  };
  for (auto& header : answer.headers) {
    if (is_answered(lower_case(header.first))) {
      response.headers.push_back(std::move(header));
    }
  }
  response.body = Rope(std::move(answer.body));
  response.stream = std::move(body);
  return response;
}

Response answer_unavailable() { return answer_text(503, "service unavailable\n"); }

}  // namespace tabernetes::server
