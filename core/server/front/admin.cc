#include "server/front/admin.h"

#include <string>

#include "base/go/duration.h"
#include "base/time/rfc3339.h"
#include "codec/cbor_reader.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "controllers/kubelet/kubelets.h"
#include "server/cluster/cluster_state.h"
#include "server/cluster/corrupt.h"
#include "server/encode/answer.h"
#include "server/front/explain.h"
#include "server/front/request_log_page.h"
#include "tabernetes/http.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::string_view kPrefix = "/-/tabernetes/";

Response answer_json(const Value& value) { return answer_tree({}, 200, value); }

Response refuse(const Request& request, std::string_view message) {
  return answer_error(request, Query(), errors::bad_request(message));
}

// Returns {"now":…}, for the caller to add more.
Value clock_state(const Cluster& cluster, json::Arena& arena) {
  Value state = Value::object(arena);
  state.append(arena, "now", Value::string(arena.copy(format_rfc3339(cluster.now))));
  return state;
}

// Handles {"advance":"90s"} or {"set":"2026-01-01T00:00:00Z"}; time cannot go back.
Response move_clock(Cluster& cluster, const Request& request, const Value& body,
                    json::Arena& arena) {
  Time now = cluster.now;
  if (body.find("advance") != nullptr) {
    const GoDuration span = go_parse_duration(body.string_at("advance"));
    if (!span.error.empty()) return refuse(request, span.error);
    if (span.value < Duration{}) return refuse(request, "the clock cannot go back");
    now = now + span.value;
  } else {
    const auto time = parse_rfc3339(body.string_at("set"));
    if (!time) {
      return refuse(request, "the body must have advance, set, pause, step or settle");
    }
    if (*time < now) return refuse(request, "the clock cannot go back");
    now = *time;
  }
  cluster.advance(now);
  return answer_json(clock_state(cluster, arena));
}

// Returns what happened to an object: {"type":"ADDED","apiVersion":…,"kind":…,"name":…}.
Value change_of(const Cluster& cluster, const store::Event& event, json::Arena& arena) {
  Value change = Value::object(arena);
  const auto add = [&](std::string_view key, std::string_view text) {
    if (!text.empty()) change.append(arena, key, Value::string(arena.copy(text)));
  };
  add("type", event.current == nullptr    ? "DELETED"
              : event.previous == nullptr ? "ADDED"
                                          : "MODIFIED");
  if (const registry::ResourceType* type = cluster.registry.resources().find_key(event.key)) {
    const auto [ns, name] = registry::split_key(*type, event.key);
    add("apiVersion", type->api_version);
    add("kind", type->resource->kind);
    add("namespace", ns);
    add("name", name);
  }
  add("resourceVersion", std::to_string(event.revision));
  return change;
}

// Handles {"step":true}: `step` of the answer is null if nobody does anything within an hour.
Response step_clock(Cluster& cluster, json::Arena& arena) {
  const std::optional<Cluster::Step> done = cluster.step();
  Value answer = clock_state(cluster, arena);
  Value step;
  if (done) {
    step = Value::object(arena);
    step.append(arena, "time", Value::string(arena.copy(format_rfc3339_micro(done->time))));
    step.append(arena, "loop", Value::string(done->loop));
    Value changes = Value::array(arena);
    for (const store::EventPtr& event : done->changes) {
      changes.push_back(arena, change_of(cluster, *event, arena));
    }
    step.append(arena, "changes", changes);
  }
  answer.append(arena, "step", step);
  return answer_json(answer);
}

// Handles {"settle":true}, or with the most time that it may take, {"settle":"10m"}.
Response settle_clock(Cluster& cluster, const Request& request, const Value& limit,
                      json::Arena& arena) {
  Duration most = Duration::from_seconds(3600);
  if (limit.is_string()) {
    const GoDuration span = go_parse_duration(limit.as_string());
    if (!span.error.empty()) return refuse(request, span.error);
    most = span.value;
  }
  const bool settled = cluster.settle(most);
  Value answer = clock_state(cluster, arena);
  answer.append(arena, "settled", Value::boolean(settled));
  return answer_json(answer);
}

// Handles {"pause":true} and {"pause":false}.
Response pause_clock(Cluster& cluster, const Value& pause, json::Arena& arena) {
  cluster.paused = !pause.is_bool() || pause.as_bool();
  Value answer = clock_state(cluster, arena);
  answer.append(arena, "paused", Value::boolean(cluster.paused));
  return answer_json(answer);
}

Response post_clock(Cluster& cluster, const Request& request, const Value& body,
                    json::Arena& arena) {
  if (const Value* pause = body.find("pause")) return pause_clock(cluster, *pause, arena);
  if (body.find("step") != nullptr) return step_clock(cluster, arena);
  if (const Value* settle = body.find("settle")) {
    return settle_clock(cluster, request, *settle, arena);
  }
  return move_clock(cluster, request, body, arena);
}

// Answers with {"resourceVersion":"123"}, the cluster's version.
Response answer_version(std::string_view version) {
  json::Arena arena;
  Value answer = Value::object(arena);
  answer.append(arena, "resourceVersion", Value::string(version));
  return answer_json(answer);
}

Response answer_present_version(const Cluster& cluster) {
  const store::Store& store = cluster.store;
  return answer_version(
      std::to_string(cluster.shared ? store.settled_revision() : store.revision()));
}

Response post_compact(Cluster& cluster, const Request& request, const Value& body, json::Arena&) {
  const std::string_view version = body.string_at("resourceVersion");
  if (const auto done = compact(cluster, version); !done) {
    return refuse(request, done.fault().message);
  }
  return version.empty() ? answer_present_version(cluster) : answer_version(version);
}

constexpr std::string_view kIsShared = "other servers use the storage of this cluster, too";

Response post_reset(Cluster& cluster, const Request& request, const Value&, json::Arena&) {
  if (cluster.shared) return refuse(request, kIsShared);
  reset(cluster);
  return answer_present_version(cluster);
}

// Handles {"object":"/api/v1/namespaces/a/configmaps/b"}, which becomes unreadable.
Response post_corrupt(Cluster& cluster, const Request& request, const Value& body, json::Arena&) {
  if (cluster.shared) return refuse(request, kIsShared);
  const auto done = corrupt(cluster, body.string_at("object"));
  return done ? answer_present_version(cluster) : refuse(request, done.fault().message);
}

constexpr std::string_view kCbor = "application/cbor";

// Answers with the document, in JSON or, if that is asked for, in CBOR.
Response get_snapshot(const Cluster& cluster, const Request& request) {
  if (find_header(request.headers, "accept").find(kCbor) != std::string_view::npos) {
    json::Arena arena;
    const std::string text = save(cluster).flatten();
    return answer_tree({.encoding = codec::Encoding::kCbor}, 200,
                       codec::read_json(text, arena).value);
  }
  Response response;
  response.headers = {{"Cache-Control", "no-cache, private"}, {"Content-Type", "application/json"}};
  response.body = save(cluster);
  return response;
}

Response put_snapshot(Cluster& cluster, const Request& request) {
  if (cluster.shared) return refuse(request, kIsShared);
  const std::size_t limit = max_body_bytes(request.target);
  if (request.body.size() > limit) {
    return answer_error(request, Query(),
                        errors::request_entity_too_large("limit is " + std::to_string(limit)));
  }
  std::string document;
  const bool cbor = find_header(request.headers, "content-type") == kCbor;
  if (cbor) {
    json::Arena arena;
    const codec::CborRead read = codec::read_cbor(request.body, arena);
    if (!read.error.empty()) return refuse(request, read.error);
    document = codec::json_text(read.value);
  }
  if (const auto done = restore(cluster, cbor ? document : std::string_view(request.body)); !done) {
    return refuse(request, done.fault().message);
  }
  return answer_present_version(cluster);
}

Value texts_value(const std::vector<std::string>& texts, json::Arena& arena) {
  Value list = Value::array(arena);
  for (const std::string& text : texts) list.push_back(arena, Value::string(text));
  return list;
}

// Answers with the rules that were given, and with warnings about Stages of the cluster.
Response get_behaviour(const Cluster& cluster) {
  Response response;
  response.headers = {{"Cache-Control", "no-cache, private"}, {"Content-Type", "application/json"}};
  std::string body = R"({"rules":)" + cluster.behaviour->document();
  const controllers::kubelet::Kubelets* kubelets = cluster.loops.kubelets();
  if (kubelets != nullptr && !kubelets->stage_warnings().empty()) {
    json::Arena arena;
    body += R"(,"warnings":)" + codec::json_text(texts_value(kubelets->stage_warnings(), arena));
  }
  response.body = Rope(body + "}\n");
  return response;
}

// Takes rules as YAML or JSON; answers with their number, and warnings.
Response put_behaviour(Cluster& cluster, const Request& request) {
  auto read = controllers::kubelet::read_behaviour(request.body);
  if (!read) return refuse(request, read.fault().message);
  cluster.set_behaviour((*read).rules);
  json::Arena arena;
  Value answer = Value::object(arena);
  answer.append(arena, "warnings", texts_value((*read).warnings, arena));
  return answer_json(answer);
}

// Goes back to the rules of the start.
Response delete_behaviour(Cluster& cluster) {
  cluster.set_behaviour(controllers::kubelet::usual_behaviour(cluster.server->options.behaviour));
  return get_behaviour(cluster);
}

// Answers with the rules, and for each how many requests fitted it and how many it hit.
Response get_faults(const Cluster& cluster) {
  json::Arena arena;
  Value counts = Value::array(arena);
  for (const Faults::Count& count : cluster.faults.counts()) {
    Value one = Value::object(arena);
    one.append(arena, "fitting", Value::integer(count.fitting));
    one.append(arena, "hit", Value::integer(count.hit));
    counts.push_back(arena, one);
  }
  std::string document = R"({"rules":)" + cluster.faults.rules().document + R"(,"counts":)";
  codec::write_json(counts, document);
  Response response;
  response.headers = {{"Cache-Control", "no-cache, private"}, {"Content-Type", "application/json"}};
  response.body = Rope(document + "}\n");
  return response;
}

// Takes rules as YAML or JSON; answers as GET does.
Response put_faults(Cluster& cluster, const Request& request) {
  auto read = read_faults(request.body);
  if (!read) return refuse(request, read.fault().message);
  cluster.faults.set(*read);
  return get_faults(cluster);
}

// Goes back to the rules of the start.
Response delete_faults(Cluster& cluster) {
  cluster.faults.set(usual_faults(cluster.server->options.faults));
  return get_faults(cluster);
}

// Answers with the rules that were given.
Response get_containers(const Cluster& cluster) {
  Response response;
  response.headers = {{"Cache-Control", "no-cache, private"}, {"Content-Type", "application/json"}};
  response.body = Rope(R"({"rules":)" + cluster.containers->document() + "}\n");
  return response;
}

// Takes rules as YAML or JSON; answers as GET does.
Response put_containers(Cluster& cluster, const Request& request) {
  auto read = read_containers(request.body);
  if (!read) return refuse(request, read.fault().message);
  cluster.containers = *read;
  return get_containers(cluster);
}

// Goes back to the rules of the start.
Response delete_containers(Cluster& cluster) {
  cluster.containers = usual_containers(cluster.server->options.containers);
  return get_containers(cluster);
}

// Answers with totals for the cluster; /metrics has more, by resource.
Response get_metrics(const Cluster& cluster) {
  std::uint64_t requests = 0;
  for (const RequestMetrics::Count& count : cluster.metrics->counts()) requests += count.requests;
  std::size_t watches = 0;
  cluster.watches.visit([&](const WatchKey&, std::size_t members) { watches += members; });
  json::Arena arena;
  Value answer = Value::object(arena);
  const std::string version = std::to_string(cluster.store.settled_revision());
  answer.append(arena, "resourceVersion", Value::string(version));
  const auto add = [&](std::string_view name, std::uint64_t number) {
    answer.append(arena, name, Value::integer(static_cast<std::int64_t>(number)));
  };
  add("objects", cluster.store.settled_tree().size());
  add("watches", watches);
  add("requests", requests);
  return answer_json(answer);
}

// Answers with the last requests, or forgets them.
Response answer_requests(Cluster& cluster, const ReadContext& reading, const Request& request) {
  if (request.method == "DELETE") {
    cluster.requests->clear();
  } else if (request.method != "GET") {
    return answer_error(request, Query(), errors::route_method_not_allowed());
  }
  return answer_request_log(*cluster.requests, reading, request);
}

// Calls with an optional small JSON object.
struct PostCall {
  std::string_view name;
  Response (*answer)(Cluster&, const Request&, const Value& body, json::Arena&);
};
constexpr PostCall kPostCalls[] = {
    {"clock", &post_clock},
    {"compact", &post_compact},
    {"corrupt", &post_corrupt},
    {"reset", &post_reset},
};

Response answer_post(Cluster& cluster, const PostCall& call, const Request& request) {
  json::Arena arena;
  Value body = Value::object(arena);
  if (!request.body.empty()) {
    const codec::JsonRead read = codec::read_json(request.body, arena);
    if (!read.ok()) return refuse(request, read.error);
    if (!read.value.is_object()) return refuse(request, "the body must be a JSON object");
    body = read.value;
  }
  return call.answer(cluster, request, body, arena);
}

Response refuse_method(const Request& request) {
  return answer_error(request, Query(), errors::route_method_not_allowed());
}

}  // namespace

bool is_admin_path(std::string_view target) { return target.starts_with(kPrefix); }

bool asks_for_explanation(const Request& request) {
  return request.method == "POST" && request.target == std::string(kPrefix) + "explain";
}

Response answer_admin(Cluster& cluster, const ReadContext& reading, const Request& request) {
  const std::string_view target = request.target;
  const std::string_view name = target.substr(kPrefix.size());
  if (name.starts_with("explain") && (name.size() == 7 || name[7] == '?')) {
    return request.method == "GET" ? explain_access_of(reading, request) : refuse_method(request);
  }
  if (name == "snapshot") {
    if (request.method == "GET") return get_snapshot(cluster, request);
    if (request.method == "PUT") return put_snapshot(cluster, request);
    return refuse_method(request);
  }
  if (name == "behaviour") {
    if (request.method == "GET") return get_behaviour(cluster);
    if (request.method == "PUT") return put_behaviour(cluster, request);
    if (request.method == "DELETE") return delete_behaviour(cluster);
    return refuse_method(request);
  }
  if (name == "containers") {
    if (request.method == "GET") return get_containers(cluster);
    if (request.method == "PUT") return put_containers(cluster, request);
    if (request.method == "DELETE") return delete_containers(cluster);
    return refuse_method(request);
  }
  if (name == "faults") {
    if (request.method == "GET") return get_faults(cluster);
    if (request.method == "PUT") return put_faults(cluster, request);
    if (request.method == "DELETE") return delete_faults(cluster);
    return refuse_method(request);
  }
  if (name.substr(0, name.find('?')) == "requests")
    return answer_requests(cluster, reading, request);
  if (name == "metrics") {
    return request.method == "GET" ? get_metrics(cluster) : refuse_method(request);
  }
  for (const PostCall& call : kPostCalls) {
    if (call.name != name) continue;
    return request.method == "POST" ? answer_post(cluster, call, request) : refuse_method(request);
  }
  return answer_unknown_path();
}

}  // namespace tabernetes::server
