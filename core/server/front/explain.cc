#include "server/front/explain.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/access.h"
#include "server/access/impersonation.h"
#include "server/audit/auditing.h"
#include "server/encode/answer.h"
#include "server/http/request_info.h"

namespace tabernetes::server {
namespace {

using json::Value;

Response refuse_query(const Request& request, std::string_view message) {
  return answer_error(request, Query(), errors::bad_request(message));
}

// Returns the lines of Request::host_identity for a user.
Headers identity_of(std::string_view user, std::string_view uid,
                    const std::vector<std::string>& groups) {
  Headers lines;
  if (user.empty()) return lines;
  lines.emplace_back("impersonate-user", user);
  if (!uid.empty()) lines.emplace_back("impersonate-uid", uid);
  for (const std::string& group : groups) lines.emplace_back("impersonate-group", group);
  return lines;
}

// Splits PLURAL[.GROUP][/SUBRESOURCE]. Without a group, it is that of the first resource with the
// name.
struct NamedResource {
  NamedResource(std::string_view text, const registry::ResourceTable& resources) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    subresource = text.substr(std::min(slash + 1, text.size()));
    plural = text.substr(0, slash);
    const std::size_t dot = plural.find('.');
    if (dot != plural.npos) {
      group = plural.substr(dot + 1);
      plural = plural.substr(0, dot);
    }
    for (const registry::ResourceType* type : resources.all()) {
      const schema::Resource& known = *type->resource;
      if (known.plural != plural || (dot != text.npos && known.group != group)) continue;
      group = known.group;
      version = known.version;
      return;
    }
  }
  std::string_view group, version, plural, subresource;
};

bool connects(std::string_view path) {
  const auto parts = path_segments(path.substr(0, path.find('?')));
  const auto resource = find_resource_path(parts);
  if (!resource) return false;
  const std::string& part = resource->subresource;
  return part == "exec" || part == "attach" || part == "portforward" || part == "proxy";
}

std::string_view query_of(std::string_view target) {
  const std::size_t mark = target.find('?');
  return mark == target.npos ? std::string_view() : target.substr(mark + 1);
}

bool follows(std::string_view target) {
  const Query query = Query::parse(query_of(target));
  return target.find("/watch/") != target.npos || query.boolean("watch").value_or(false) ||
         query.boolean("follow").value_or(false);
}

}  // namespace

Response explain_access_of(const ReadContext& reading, const Request& request) {
  const Query query = Query::parse(query_of(request.target));
  const std::string verb(query.get("verb"));
  const std::string resource(query.get("resource"));
  const std::string path(query.get("path"));
  if (verb.empty()) return refuse_query(request, "a verb is needed");
  if (resource.empty() == path.empty())
    return refuse_query(request, "a resource or a path is needed");
  Request asked;
  asked.host_identity = identity_of(query.get("user"), query.get("uid"), query.all("group"));
  json::Arena arena;
  const RequestContext call(reading, asked, arena);
  const auth::User user = asked.host_identity.empty() ? auth::anonymous_user() : user_of_host(call);
  const NamedResource named(resource, reading.resources);
  const std::string ns(query.get("namespace"));
  const std::string name(query.get("name"));
  const auth::Attributes attributes{.user = user,
                                    .verb = verb,
                                    .on_resource = path.empty(),
                                    .group = named.group,
                                    .version = named.version,
                                    .resource = named.plural,
                                    .subresource = named.subresource,
                                    .ns = ns,
                                    .name = name,
                                    .path = path,
                                    .field_selector = {}};
  return answer_tree(
      {}, 200,
      explain_access(reading.authorizer, attributes, reading.server.options.stopwatch, arena));
}

Result<Request> request_to_explain(const Request& asking) {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(asking.body, arena);
  if (!read.ok()) return errors::bad_request(read.error);
  const Value& body = read.value;
  const std::string_view path = body.is_object() ? body.string_at("path") : std::string_view();
  if (!path.starts_with('/')) return errors::bad_request("the body must have a path");
  if (connects(path)) return errors::bad_request("a connection cannot be tried");
  if (follows(path)) return errors::bad_request("a watch cannot be tried");
  Request request;
  request.method = body.string_at("method");
  if (request.method.empty()) request.method = "GET";
  request.target = path;
  request.peer = asking.peer;
  if (request.method != "GET" && request.method != "HEAD") {
    request.target += path.find('?') == path.npos ? "?dryRun=All" : "&dryRun=All";
  }
  if (const Value* sent = body.find("body")) {
    request.body = sent->is_string() ? std::string(sent->as_string()) : codec::json_text(*sent);
    const std::string_view type = body.string_at("contentType");
    request.headers.emplace_back("content-type", type.empty() ? "application/json" : type);
  }
  request.headers.emplace_back("accept", "application/json");
  std::vector<std::string> groups;
  for (const Value& group : items_at(body, {"groups"})) groups.emplace_back(group.as_string());
  request.host_identity = identity_of(body.string_at("user"), body.string_at("uid"), groups);
  if (request.host_identity.empty()) {
    request.host_identity = identity_of("system:anonymous", {}, {"system:unauthenticated"});
  }
  return request;
}

std::shared_ptr<AuditTrail> explaining_trail(const Request& request, Time now,
                                             std::shared_ptr<AuditIds> ids,
                                             const Stopwatch& stopwatch) {
  constexpr std::string_view kPolicy =
      R"({"apiVersion":"audit.k8s.io/v1","kind":"Policy","rules":[{"level":"Metadata"}]})";
  auto auditor = make_auditor({.policy = std::string(kPolicy), .sink = [](std::string_view) {}});
  auto trail = std::make_shared<AuditTrail>(*auditor, request, now, std::move(ids));
  trail->explain_to(std::make_shared<RequestExplanation>(stopwatch));
  return trail;
}

Response answer_explained(AuditTrail& trail, const Response& answer) {
  json::Arena arena;
  Value explained = Value::object(arena);
  explained.append(arena, "access", trail.explanation()->access());
  explained.append(arena, "admission", trail.explanation()->steps(arena));
  Value annotations = Value::object(arena);
  for (const auto& [key, note] : trail.notes().all()) {
    annotations.append(arena, key, Value::string(note.value));
  }
  explained.append(arena, "annotations", annotations);
  Value shown = Value::object(arena);
  shown.append(arena, "code", Value::integer(answer.status));
  const std::string text = answer.body.flatten();
  const codec::JsonRead body = codec::read_json(text, arena);
  shown.append(arena, "body", body.ok() ? body.value : Value::string(text));
  explained.append(arena, "answer", shown);
  if (const auto took = trail.explanation()->took()) add_duration(explained, *took, arena);
  return answer_tree({}, 200, explained);
}

}  // namespace tabernetes::server
