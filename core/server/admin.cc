#include "server/admin.h"

#include <string>

#include "base/go_duration.h"
#include "base/go_text.h"
#include "base/rfc3339.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "server/answer.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::string_view kPrefix = "/-/tabernetes/";

Response answer_json(const Value& value) { return answer_tree({}, 200, value); }

Response refuse(const Request& request, std::string_view message) {
  return answer_error(request, Query(), errors::bad_request(message));
}

// {"advance":"90s"} or {"set":"2026-01-01T00:00:00Z"}; time only moves on.
Response set_clock(Cluster& cluster, const Request& request, const Value& body,
                   json::Arena& arena) {
  Time now = cluster.now;
  if (body.find("advance") != nullptr) {
    const GoDuration span = go_parse_duration(body.string_at("advance"));
    if (!span.error.empty()) return refuse(request, span.error);
    if (span.value < Duration{}) return refuse(request, "the clock cannot go back");
    now = now + span.value;
  } else {
    const auto time = parse_rfc3339(body.string_at("set"));
    if (!time) return refuse(request, "the body must have advance or set");
    if (*time < now) return refuse(request, "the clock cannot go back");
    now = *time;
  }
  cluster.now = now;
  cluster.deadlines.run(now);
  Value answer = Value::object(arena);
  answer.append(arena, "now", Value::string(arena.copy(format_rfc3339(now))));
  return answer_json(answer);
}

Response compact(Cluster& cluster, const Request& request, const Value& body, json::Arena& arena) {
  store::Revision revision = cluster.store.revision();
  const std::string_view text = body.string_at("resourceVersion");
  if (!text.empty()) {
    const GoParsedUint parsed = go_parse_uint(text);
    if (!parsed.error.empty()) return refuse(request, parsed.error);
    revision = parsed.value;
  }
  if (!cluster.store.compact(revision)) {
    return refuse(request, "resourceVersion must lie between the last compaction and now");
  }
  Value answer = Value::object(arena);
  answer.append(arena, "resourceVersion", Value::string(arena.copy(std::to_string(revision))));
  return answer_json(answer);
}

Response reset(Cluster& cluster, const InitialState& initial, json::Arena& arena) {
  cluster.store.restore(initial.objects);
  cluster.registry.forget_allocations();
  Value answer = Value::object(arena);
  answer.append(arena, "resourceVersion",
                Value::string(arena.copy(std::to_string(cluster.store.revision()))));
  return answer_json(answer);
}

}  // namespace

bool is_admin_path(std::string_view target) { return target.starts_with(kPrefix); }

Response answer_admin(Cluster& cluster, const InitialState& initial, const Request& request) {
  const std::string_view target = request.target;
  const std::string_view call = target.substr(kPrefix.size());
  if (call != "clock" && call != "compact" && call != "reset") return answer_unknown_path();
  if (request.method != "POST") {
    return answer_error(request, Query(), errors::route_method_not_allowed());
  }
  json::Arena arena;
  Value body = Value::object(arena);
  if (!request.body.empty()) {
    const codec::JsonRead read = codec::read_json(request.body, arena);
    if (!read.ok()) return refuse(request, read.error);
    if (!read.value.is_object()) return refuse(request, "the body must be a JSON object");
    body = read.value;
  }
  if (call == "clock") return set_clock(cluster, request, body, arena);
  if (call == "compact") return compact(cluster, request, body, arena);
  return reset(cluster, initial, arena);
}

}  // namespace tabernetes::server
