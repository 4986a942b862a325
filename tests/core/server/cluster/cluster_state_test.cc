#include "server/cluster/cluster_state.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../../faults.h"
#include "../requests.h"
#include "base/time/rfc3339.h"
#include "tabernetes/http.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kAllConfigMaps = "/api/v1/configmaps";

Options options_at(std::string_view text = "2026-01-01T00:00:00Z") {
  Options options;
  options.now = *parse_rfc3339(text);
  options.seed = 7;
  return options;
}

// Returns the names in a list of ConfigMaps: "a b".
std::string names(ApiServer& server, const std::string& query = {}) {
  const std::string list = get(server, std::string(kAllConfigMaps) + query);
  const std::string_view mark = "{\"metadata\":{\"name\":\"";
  std::string out;
  for (std::size_t at = list.find(mark); at != std::string::npos; at = list.find(mark, at)) {
    at += mark.size();
    if (!out.empty()) out += ' ';
    out += list.substr(at, list.find('"', at) - at);
  }
  return out;
}

TEST_CASE("cluster: a fork and its parent go their own ways", "[server]") {
  ApiServer parent(options_at());
  create_config_map(parent, "a");
  create_config_map(parent, "b");
  const std::string before = version_of(parent);
  const std::unique_ptr<ApiServer> fork = parent.fork();
  CHECK(version_of(*fork) == before);
  CHECK(get(*fork, kAllConfigMaps) == get(parent, kAllConfigMaps));

  create_config_map(parent, "c");
  ask(*fork, "DELETE", "/api/v1/namespaces/default/configmaps/a");
  CHECK(names(parent) == "a b c");
  CHECK(names(*fork) == "b");
  const std::string exactly_before = "?resourceVersionMatch=Exact&resourceVersion=" + before;
  CHECK(names(parent, exactly_before) == "a b");
  CHECK(names(*fork, exactly_before) == "a b");
}

TEST_CASE("cluster: tokens and versions from before a fork work in both", "[server]") {
  ApiServer parent(options_at());
  for (const char* name : {"a", "b", "c", "d"}) create_config_map(parent, name);
  const std::string page = get(parent, std::string(kAllConfigMaps) + "?limit=2");
  const std::string_view mark = "\"continue\":\"";
  const std::size_t begin = page.find(mark) + mark.size();
  const std::string token = page.substr(begin, page.find('"', begin) - begin);
  const std::string before = version_of(parent);
  const std::unique_ptr<ApiServer> fork = parent.fork();
  for (ApiServer* server : {&parent, fork.get()}) {
    ask(*server, "DELETE", "/api/v1/namespaces/default/configmaps/c");
    CHECK(names(*server, "?limit=2&continue=" + token) == "c d");
    Response watch =
        ask(*server, "GET", std::string(kAllConfigMaps) + "?watch=1&resourceVersion=" + before);
    REQUIRE(watch.stream);
    const std::string events = watch.stream->next().flatten();
    CHECK(events.starts_with("{\"type\":\"DELETED\",\"object\":{\"kind\":\"ConfigMap\""));
    CHECK(events.find('\n') == events.size() - 1);
  }
}

TEST_CASE("cluster: an open watch stays with the parent", "[server]") {
  ApiServer parent(options_at());
  Response watch = ask(parent, "GET", std::string(kAllConfigMaps) + "?watch=1");
  REQUIRE(watch.stream);
  CHECK(watch.stream->next().empty());
  {
    const std::unique_ptr<ApiServer> fork = parent.fork();
    CHECK_FALSE(fork->next_deadline());
    create_config_map(*fork, "of-the-fork");
  }
  create_config_map(parent, "of-the-parent");
  const std::string events = watch.stream->next().flatten();
  CHECK(events.find("of-the-parent") != std::string::npos);
  CHECK(events.find("of-the-fork") == std::string::npos);
}

TEST_CASE("cluster: forks of one seeded cluster draw the same uids", "[server]") {
  const ApiServer parent(options_at());
  const std::unique_ptr<ApiServer> one = parent.fork(), other = parent.fork();
  create_config_map(*one, "a");
  create_config_map(*other, "a");
  CHECK(get(*one, kAllConfigMaps) == get(*other, kAllConfigMaps));
}

TEST_CASE("cluster: reset after a fork goes back to the state at start-up", "[server]") {
  ApiServer parent(options_at());
  create_config_map(parent, "loaded");
  parent.mark_initial_state();
  create_config_map(parent, "later");
  const std::unique_ptr<ApiServer> fork = parent.fork();
  CHECK(text_of(ask(*fork, "POST", "/-/tabernetes/reset")) == "200 {\"resourceVersion\":\"62\"}\n");
  CHECK(names(*fork) == "loaded");
  CHECK(names(parent) == "later loaded");
}

TEST_CASE("cluster: a fork does not give out the service addresses of its parent", "[server]") {
  constexpr std::string_view kServices = "/api/v1/namespaces/default/services";
  const auto create = [&](ApiServer& server, const std::string& name, const std::string& address) {
    return ask(server, "POST", kServices,
               R"({"kind":"Service","apiVersion":"v1","metadata":{"name":")" + name +
                   R"("},"spec":{"clusterIP":")" + address + R"(","ports":[{"port":80}]}})")
        .status;
  };
  ApiServer parent(options_at());
  CHECK(create(parent, "a", "10.96.0.9") == 201);
  const std::unique_ptr<ApiServer> fork = parent.fork();
  CHECK(create(*fork, "b", "10.96.0.9") == 422);
  CHECK(create(*fork, "b", "10.96.0.10") == 201);
  CHECK(create(parent, "b", "10.96.0.10") == 201);

  ApiServer restored(options_at());
  CHECK(restored.restore(fork->snapshot()));
  CHECK(create(restored, "c", "10.96.0.10") == 422);
  CHECK(create(restored, "c", "10.96.0.11") == 201);
}

TEST_CASE("cluster: a fresh cluster takes over a snapshot with its versions", "[server]") {
  ApiServer first(options_at());
  create_config_map(first, "a");
  create_config_map(first, "b");
  ask(first, "DELETE", "/api/v1/namespaces/default/configmaps/a");
  first.advance(*parse_rfc3339("2026-01-01T00:01:00Z"));
  const std::string document = first.snapshot();

  ApiServer second(options_at("2025-01-01T00:00:00Z"));
  CHECK(second.restore(document));
  CHECK(get(second, kAllConfigMaps) == get(first, kAllConfigMaps));
  CHECK(second.snapshot() == document);
  CHECK(second.time() == first.time());
  // The restored cluster continues like the first.
  create_config_map(first, "c");
  create_config_map(second, "c");
  CHECK(get(second, kAllConfigMaps) == get(first, kAllConfigMaps));
  // The past is not saved.
  CHECK(get(second, "/api/v1/configmaps?resourceVersion=7&resourceVersionMatch=Exact")
            .starts_with("410 "));
}

TEST_CASE("cluster: versions begin where the host says", "[server]") {
  Options options = options_at();
  options.first_version = 1'767'225'600'000;
  ApiServer server(options);
  // The number of writes at start-up.
  CHECK(version_of(server) == "1767225600058");
  CHECK(ask(server, "GET",
            std::string(kAllConfigMaps) + "?resourceVersion=7&resourceVersionMatch=Exact")
            .status == 410);
}

TEST_CASE("cluster: what was never asked takes over older versions, too", "[server]") {
  ApiServer first(options_at());
  create_config_map(first, "a");
  const std::string document = first.snapshot();
  Options high = options_at("2026-02-01T00:00:00Z");
  high.first_version = 1'000'000;

  ApiServer fresh(high);
  CHECK(fresh.restore(document));
  CHECK(get(fresh, kAllConfigMaps) == get(first, kAllConfigMaps));
  create_config_map(fresh, "b");
  CHECK(version_of(fresh) == "61");

  ApiServer known(high);
  const std::string before = version_of(known);
  CHECK(known.restore(document));
  CHECK(version_of(known) == std::to_string(std::stoull(before) + 1));
  CHECK(names(known) == "a");
}

TEST_CASE("cluster: a running cluster uses no version twice when it restores", "[server]") {
  ApiServer server(options_at());
  create_config_map(server, "a");  // 39
  const std::string document = server.snapshot();
  create_config_map(server, "b");  // 61
  Response watch = ask(server, "GET", std::string(kAllConfigMaps) + "?watch=1&resourceVersion=61");
  REQUIRE(watch.stream);
  CHECK(server.restore(document));
  CHECK(version_of(server) == "62");
  CHECK(names(server) == "a");
  CHECK(watch.stream->next().empty());
  CHECK(watch.stream->ended());
  CHECK(server.restore(document));
  CHECK(version_of(server) == "63");

  ApiServer newer(options_at());
  for (int i = 0; i < 20; ++i) create_config_map(newer, "n" + std::to_string(i));
  CHECK(server.restore(newer.snapshot()));
  CHECK(version_of(server) == "80");
}

TEST_CASE("cluster: only a snapshot may be a large body", "[server]") {
  CHECK(max_body_bytes("/-/tabernetes/snapshot") == std::size_t{1} << 30);
  CHECK(max_body_bytes("/-/tabernetes/compact") == 3u << 20);
  CHECK(max_body_bytes("/api/v1/pods") == 3u << 20);
}

TEST_CASE("cluster: the clock never goes back when it restores", "[server]") {
  ApiServer early(options_at("2026-01-01T00:00:00Z"));
  ApiServer late(options_at("2026-06-01T00:00:00Z"));
  CHECK(late.restore(early.snapshot()));
  CHECK(late.time() == *parse_rfc3339("2026-06-01T00:00:00Z"));
  CHECK(early.restore(late.snapshot()));
  CHECK(early.time() == *parse_rfc3339("2026-06-01T00:00:00Z"));
}

TEST_CASE("cluster: reset after a restore goes back to what was marked", "[server]") {
  ApiServer first(options_at());
  create_config_map(first, "saved");
  const std::string document = first.snapshot();
  ApiServer second(options_at());
  CHECK(second.restore(document));
  ask(second, "POST", "/-/tabernetes/reset");
  CHECK(names(second).empty());
  CHECK(second.restore(document));
  second.mark_initial_state();
  create_config_map(second, "later");
  ask(second, "POST", "/-/tabernetes/reset");
  CHECK(names(second) == "saved");
}

TEST_CASE("cluster: compaction", "[server]") {
  ApiServer server(options_at());
  create_config_map(server, "a");  // 39
  create_config_map(server, "b");  // 61
  CHECK(tests::message_of(server.compact("62")) ==
        "resourceVersion: Invalid value: \"62\": not reached yet: the cluster is at 61");
  CHECK(tests::message_of(server.compact("x")) ==
        "resourceVersion: Invalid value: \"x\": strconv.ParseUint: parsing \"x\": invalid syntax");
  CHECK(server.compact("60"));
  CHECK(tests::message_of(server.compact("59")) ==
        "resourceVersion: Invalid value: \"59\": compacted already: the oldest version is 60");
  const auto exactly = [&](const std::string& version) {
    return get(server, std::string(kAllConfigMaps) +
                           "?resourceVersionMatch=Exact&resourceVersion=" + version)
        .substr(0, 3);
  };
  CHECK(exactly("59") == "410");
  CHECK(exactly("60") == "200");
  CHECK(server.compact());
  CHECK(exactly("60") == "410");
  CHECK(exactly("61") == "200");
}

constexpr std::string_view kBehaviour = "/-/tabernetes/behaviour";
constexpr std::string_view kSnapshot = "/-/tabernetes/snapshot";

TEST_CASE("cluster: a snapshot in CBOR is the same document", "[server]") {
  ApiServer server(options_at());
  create_config_map(server, "a");
  Request asking = request_of("GET", kSnapshot);
  asking.headers = {{"accept", "application/cbor"}};
  Response answer;
  server.handle(asking, [&](Response response) { answer = std::move(response); });
  REQUIRE(answer.status == 200);
  const std::string bytes = answer.body.flatten();
  CHECK(bytes.starts_with("\xd9\xd9\xf7"));  // the tag of self-described CBOR

  ApiServer other(options_at());
  Request giving = request_of("PUT", kSnapshot);
  giving.headers = {{"content-type", "application/cbor"}};
  giving.body = bytes;
  other.handle(giving, [&](Response response) { answer = std::move(response); });
  CHECK(answer.status == 200);
  CHECK(other.snapshot() == server.snapshot());
  giving.body = "\xff";
  other.handle(giving, [&](Response response) { answer = std::move(response); });
  CHECK(answer.status == 400);
  CHECK(other.snapshot() == server.snapshot());
}

TEST_CASE("cluster: a snapshot has the rules of behaviour", "[server]") {
  ApiServer server(options_at());
  CHECK(get(server, kSnapshot).find("\"behaviour\"") == std::string::npos);
  REQUIRE(ask(server, "PUT", kBehaviour, R"([{"match":{"name":"p"},"start":"5s"}])").status == 200);
  const std::string rules = get(server, kBehaviour);
  CHECK(rules == "200 {\"rules\":[{\"match\":{\"name\":\"p\"},\"start\":\"5s\"}]}\n");
  const std::string snapshot = ask(server, "GET", kSnapshot).body.flatten();

  ApiServer other(options_at());
  REQUIRE(ask(other, "PUT", kSnapshot, snapshot).status == 200);
  CHECK(get(other, kBehaviour) == rules);
  CHECK(get(*other.fork(), kBehaviour) == rules);
  REQUIRE(ask(other, "POST", "/-/tabernetes/reset").status == 200);
  CHECK(get(other, kBehaviour) == rules);
  // One without rules leaves the server with those of its start.
  const std::string without = ask(server, "DELETE", kBehaviour).body.flatten();
  REQUIRE(ask(other, "PUT", kSnapshot, ask(server, "GET", kSnapshot).body.flatten()).status == 200);
  CHECK(get(other, kBehaviour) == "200 " + without);

  std::string wrong = snapshot;
  wrong.replace(wrong.find("5s"), 2, "xx");
  CHECK(text_of(ask(other, "PUT", kSnapshot, wrong))
            .find("behaviour: rules[0].start: must be a duration such as 1.5s or 2m") !=
        std::string::npos);
}

constexpr std::string_view kStageDefinition = R"({"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition","metadata":{"name":"stages.kwok.x-k8s.io"},"spec":{
"group":"kwok.x-k8s.io","scope":"Cluster","names":{"plural":"stages","singular":"stage",
"kind":"Stage","listKind":"StageList"},"versions":[{"name":"v1alpha1","served":true,"storage":true,
"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}})";

TEST_CASE("cluster: KWOK's Stages in it are rules", "[server]") {
  Options options = options_at();
  options.controllers = {"kubelet"};
  options.nodes = 1;
  ApiServer server(options);
  const auto run = [&](std::int64_t seconds) {
    server.advance(server.time() + Duration::from_seconds(seconds));
  };
  REQUIRE(ask(server, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
              kStageDefinition)
              .status == 201);
  run(1);
  const std::string_view stages = "/apis/kwok.x-k8s.io/v1alpha1/stages";
  REQUIRE(ask(server, "POST", stages, R"({"apiVersion":"kwok.x-k8s.io/v1alpha1","kind":"Stage",
"metadata":{"name":"pod-ready"},"spec":{"resourceRef":{"apiGroup":"v1","kind":"Pod"},
"delay":{"durationMilliseconds":60000},
"next":{"event":{"type":"Normal"},"statusTemplate":"phase: Running\n"}}})")
              .status == 201);
  CHECK(get(server, kBehaviour) ==
        "200 {\"rules\":[],\"warnings\":[\"Stage pod-ready: spec.next.event has no effect\"]}\n");
  const auto start = [&](std::string_view name) {
    REQUIRE(ask(server, "POST", "/api/v1/namespaces/default/pods",
                R"({"metadata":{"name":")" + std::string(name) +
                    R"("},"spec":{"nodeName":"node-1","containers":[{"name":"c","image":"i"}]}})")
                .status == 201);
  };
  const auto runs = [&](std::string_view name) {
    const std::string pod = get(server, "/api/v1/namespaces/default/pods/" + std::string(name));
    return pod.find(R"("phase":"Running")") != std::string::npos;
  };
  start("slow");
  run(30);
  CHECK_FALSE(runs("slow"));
  run(40);
  CHECK(runs("slow"));
  REQUIRE(ask(server, "DELETE", std::string(stages) + "/pod-ready").status == 200);
  run(1);
  start("fast");
  run(10);
  CHECK(runs("fast"));
  CHECK(get(server, kBehaviour) == "200 {\"rules\":[]}\n");
}

}  // namespace
}  // namespace tabernetes::server
