#include "server/front/request_log_page.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time/rfc3339.h"
#include "json/value.h"
#include "server/access/authorization.h"
#include "server/encode/answer.h"
#include "server/http/request_info.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::string_view kMatched[] = {"verb", "resource", "subresource", "namespace",
                                         "name", "user",     "code"};

// Returns an entry as the page shows it; members that are empty are left out.
Value shown(const LoggedRequest& entry, const ReadContext& reading, json::Arena& arena) {
  const std::string_view target = entry.target;
  const std::string_view path = target.substr(0, target.find('?'));
  Request request;
  request.method = entry.method;
  request.target = entry.target;
  json::Arena scratch;
  RequestContext call(reading, request, scratch);
  if (path.size() < target.size()) call.query = Query::parse(target.substr(path.size() + 1));
  const auto resource = find_resource_path(path_segments(path));
  const RequestAttributes wanted(call, path, resource ? &*resource : nullptr);
  const auth::Attributes attributes = wanted.of(call);

  Value out = Value::object(arena);
  const auto add = [&](std::string_view name, std::string_view text) {
    if (!text.empty()) out.append(arena, name, Value::string(arena.copy(text)));
  };
  add("time", format_rfc3339_micro(entry.begun));
  add("verb", attributes.verb);
  add("apiGroup", attributes.group);
  add("apiVersion", attributes.version);
  add("resource", attributes.resource);
  add("subresource", attributes.subresource);
  add("namespace", attributes.ns);
  add("name", attributes.name);
  add("user", entry.user);
  add("userAgent", entry.user_agent);
  add("method", entry.method);
  add("target", entry.target);
  out.append(arena, "code", Value::integer(entry.status));
  if (entry.bytes) {
    out.append(arena, "bytes", Value::integer(static_cast<std::int64_t>(*entry.bytes)));
  }
  add("fault", entry.fault);
  return out;
}

bool fits(const Value& entry, const std::vector<std::pair<std::string, std::string>>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& want) {
    if (want.first == "code") return std::to_string(entry.find("code")->as_int()) == want.second;
    return entry.string_at(want.first) == want.second;
  });
}

}  // namespace

Response answer_request_log(const RequestLog& log, const ReadContext& reading,
                            const Request& request) {
  const std::size_t mark = request.target.find('?');
  const Query query = mark == std::string::npos
                          ? Query()
                          : Query::parse(std::string_view(request.target).substr(mark + 1));
  std::vector<std::pair<std::string, std::string>> wanted;
  for (const auto& [name, text] : query.values()) {
    if (name == "limit") continue;
    if (std::find(std::begin(kMatched), std::end(kMatched), name) == std::end(kMatched)) {
      return answer_error(request, query,
                          errors::bad_request("there is no option \"" + name + "\" of requests"));
    }
    wanted.emplace_back(name, text);
  }
  const auto limit = query.integer("limit");
  if (!limit) return answer_error(request, query, limit.error());

  json::Arena arena;
  std::vector<Value> found;
  for (const LoggedRequest& entry : log.entries()) {
    const Value value = shown(entry, reading, arena);
    if (fits(value, wanted)) found.push_back(value);
  }
  if (*limit && **limit >= 0 && found.size() > static_cast<std::size_t>(**limit)) {
    found.erase(found.begin(), found.end() - static_cast<std::ptrdiff_t>(**limit));
  }
  Value list = Value::array(arena);
  for (const Value& entry : found) list.push_back(arena, entry);
  Value answer = Value::object(arena);
  answer.append(arena, "requests", list);
  return answer_tree({}, 200, answer);
}

}  // namespace tabernetes::server
