// What /metrics says after some requests, over a whole server.
#include <catch2/catch_test_macros.hpp>

#include "../requests.h"
#include "server/request/request_metrics.h"

namespace tabernetes::server {
namespace {

std::string metrics(ApiServer& server) { return ask(server, "GET", "/metrics").body.flatten(); }

bool has_line(const std::string& page, const std::string& line) {
  return ("\n" + page).find("\n" + line + "\n") != std::string::npos;
}

// A sample of requests to ConfigMaps.
std::string total(std::string_view code, std::string_view dry_run, std::string_view scope,
                  std::string_view verb, int count) {
  std::string line = "apiserver_request_total{code=\"";
  line.append(code).append("\",component=\"apiserver\",dry_run=\"").append(dry_run);
  line.append("\",group=\"\",resource=\"configmaps\",scope=\"").append(scope);
  line.append("\",subresource=\"\",verb=\"").append(verb).append("\",version=\"v1\"} ");
  return line + std::to_string(count);
}

constexpr std::string_view kCounted = "/api/v1/namespaces/default/configmaps";

TEST_CASE("metrics: requests by verb, scope, dry run and code", "[server]") {
  ApiServer server;
  const std::string path(kCounted);
  REQUIRE(create_config_map(server, "a") == 201);
  REQUIRE(create_config_map(server, "a") == 409);
  ask(server, "GET", path + "/a");
  ask(server, "GET", path + "/a");
  ask(server, "GET", path);
  ask(server, "GET", "/api/v1/configmaps");
  ask(server, "DELETE", path + "/a?dryRun=All");
  ask(server, "GET", path + "/none");
  ask(server, "GET", "/apis/apps/v1/namespaces/default/deployments/x/scale");
  ask(server, "GET", "/readyz");
  ask(server, "GET", "/api/v1/nothing");  // no route: not counted
  const std::string page = metrics(server);
  CHECK(has_line(page, total("201", "", "resource", "POST", 1)));
  CHECK(has_line(page, total("409", "", "resource", "POST", 1)));
  CHECK(has_line(page, total("200", "", "resource", "GET", 2)));
  CHECK(has_line(page, total("404", "", "resource", "GET", 1)));
  CHECK(has_line(page, total("200", "", "namespace", "LIST", 1)));
  CHECK(has_line(page, total("200", "", "cluster", "LIST", 1)));
  CHECK(has_line(page, total("200", "All", "resource", "DELETE", 1)));
  CHECK(has_line(page,
                 "apiserver_request_total{code=\"404\",component=\"apiserver\",dry_run=\"\","
                 "group=\"apps\",resource=\"deployments\",scope=\"resource\",subresource="
                 "\"scale\",verb=\"GET\",version=\"v1\"} 1"));
  CHECK(has_line(page,
                 "apiserver_request_total{code=\"200\",component=\"\",dry_run=\"\",group=\"\","
                 "resource=\"\",scope=\"\",subresource=\"/readyz\",verb=\"GET\",version=\"\"} 1"));
  CHECK(page.find("nothing") == std::string::npos);
}

constexpr std::string_view kWidgets = R"({
  "apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
  "metadata":{"name":"gadgets.example.com"},
  "spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"gadgets","kind":"Gadget"},
    "versions":[{"name":"v1","served":true,"storage":true,
      "schema":{"openAPIV3Schema":{"type":"object"}},"subresources":{"status":{},
        "scale":{"specReplicasPath":".spec.a","statusReplicasPath":".status.a"}}}]}})";

// Which requests count, and how: compared with a kube-apiserver 1.36.3.
TEST_CASE("metrics: requests for custom resources, whose definition may go", "[server]") {
  ApiServer server;
  const std::string definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const std::string path = "/apis/example.com/v1/namespaces/default/gadgets";
  REQUIRE(ask(server, "POST", definitions, kWidgets).status == 201);
  server.advance(server.time() + Duration::from_seconds(1));
  const auto line = [](std::string_view code, std::string_view scope, std::string_view subresource,
                       std::string_view verb, int count) {
    std::string text = "apiserver_request_total{code=\"";
    text.append(code).append("\",component=\"apiserver\",dry_run=\"\",group=\"example.com\"");
    text.append(",resource=\"gadgets\",scope=\"").append(scope).append("\",subresource=\"");
    text.append(subresource).append("\",verb=\"").append(verb);
    return text.append("\",version=\"v1\"} ").append(std::to_string(count));
  };
  const std::string_view object =
      R"({"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"name":"a"}})";
  CHECK(ask(server, "POST", path, object).status == 201);
  CHECK(ask(server, "POST", path + "/a", object).status == 409);
  CHECK(ask(server, "GET", path + "/a/scale").status == 500);  // it has no replicas
  CHECK(ask(server, "GET", path + "/a/status").status == 200);
  CHECK(ask(server, "PUT", path, object).status == 400);      // without a name
  CHECK(ask(server, "GET", path + "/a/none").status == 404);  // no route: not counted
  CHECK(ask(server, "GET", "/apis/example.com/v1/gadgets").status == 200);
  const auto check_page = [&] {
    const std::string page = metrics(server);
    CHECK(has_line(page, line("201", "resource", "", "POST", 1)));
    CHECK(has_line(page, line("409", "resource", "", "POST", 1)));
    CHECK(has_line(page, line("500", "resource", "scale", "GET", 1)));
    CHECK(has_line(page, line("200", "resource", "status", "GET", 1)));
    CHECK(has_line(page, line("400", "namespace", "", "PUT", 1)));
    CHECK(has_line(page, line("200", "cluster", "", "LIST", 1)));
    CHECK(page.find(line("404", "resource", "", "GET", 1)) == std::string::npos);
  };
  check_page();
  const Response watch = ask(server, "GET", path + "?watch=1");
  CHECK(has_line(metrics(server),
                 "apiserver_longrunning_requests{component=\"apiserver\",group=\"example.com\","
                 "resource=\"gadgets\",scope=\"namespace\",subresource=\"\",verb=\"WATCH\","
                 "version=\"v1\"} 1"));
  REQUIRE(ask(server, "DELETE", definitions + "/gadgets.example.com").status == 200);
  server.advance(server.time() + Duration::from_seconds(1));
  REQUIRE(ask(server, "GET", path).status == 404);
  check_page();
}

TEST_CASE("metrics: how long, by the cluster's time", "[server]") {
  ApiServer server;
  const std::string next = std::to_string(std::stoull(version_of(server)) + 1);
  ask(server, "DELETE", "/metrics");
  const Pending waiting = begin(server, "GET", std::string(kCounted) + "?resourceVersion=" + next);
  REQUIRE_FALSE(*waiting);
  server.advance(server.time() + Duration::from_milliseconds(300));
  REQUIRE(create_config_map(server, "a") == 201);
  REQUIRE(*waiting);
  const std::string page = metrics(server);
  const std::string labels =
      "component=\"apiserver\",dry_run=\"\",group=\"\",resource=\"configmaps\","
      "scope=\"namespace\",subresource=\"\",verb=\"LIST\",version=\"v1\"";
  const std::string name = "apiserver_request_duration_seconds";
  CHECK(has_line(page, name + "_bucket{" + labels + ",le=\"0.2\"} 0"));
  CHECK(has_line(page, name + "_bucket{" + labels + ",le=\"0.4\"} 1"));
  CHECK(has_line(page, name + "_bucket{" + labels + ",le=\"60\"} 1"));
  CHECK(has_line(page, name + "_bucket{" + labels + ",le=\"+Inf\"} 1"));
  CHECK(has_line(page, name + "_sum{" + labels + "} 0.3"));
  CHECK(has_line(page, name + "_count{" + labels + "} 1"));
  const std::string size = std::to_string((*waiting)->body.size());
  CHECK(page.find("apiserver_response_sizes_sum{component=\"apiserver\",group=\"\",resource="
                  "\"configmaps\",scope=\"namespace\",subresource=\"\",verb=\"LIST\","
                  "version=\"v1\"} " +
                  size + "\n") != std::string::npos);
}

TEST_CASE("metrics: objects and open watches", "[server]") {
  ApiServer server;
  REQUIRE(create_config_map(server, "a") == 201);
  const std::string line =
      "apiserver_longrunning_requests{component=\"apiserver\",group=\"\","
      "resource=\"configmaps\",scope=\"";
  const std::string rest = "\",subresource=\"\",verb=\"WATCH\",version=\"v1\"} ";
  {
    const Response everywhere = ask(server, "GET", "/api/v1/configmaps?watch=1");
    const Response here = ask(server, "GET", std::string(kCounted) + "?watch=1");
    const Response again = ask(server, "GET", std::string(kCounted) + "?watch=1");
    REQUIRE(again.stream);
    const std::string page = metrics(server);
    CHECK(has_line(page, line + "cluster" + rest + "1"));
    CHECK(has_line(page, line + "namespace" + rest + "2"));
  }
  const std::string page = metrics(server);
  CHECK(page.find("apiserver_longrunning_requests") == std::string::npos);
  CHECK(has_line(page, "apiserver_storage_objects{resource=\"namespaces\"} 4"));
  CHECK(has_line(page, "apiserver_storage_objects{resource=\"deployments.apps\"} 0"));
  CHECK(has_line(page, "apiserver_resource_objects{group=\"apps\",resource=\"deployments\"} 0"));
  CHECK(page.find("kubernetes_build_info{build_date=\"1970-01-01T00:00:00Z\"") !=
        std::string::npos);
}

TEST_CASE("metrics: the host's own few numbers", "[server]") {
  ApiServer server;
  const auto number = [&](std::string_view name) {
    const std::string text = get(server, "/-/tabernetes/metrics");
    const std::size_t at = text.find(std::string(name) + "\":");
    REQUIRE(at != std::string::npos);
    return std::stoull(text.substr(at + name.size() + 2));
  };
  const auto objects = number("objects");
  CHECK(number("requests") == 0);
  const Response watch = ask(server, "GET", "/api/v1/configmaps?watch=1");
  REQUIRE(create_config_map(server, "a") == 201);
  CHECK(number("objects") == objects + 1);
  CHECK(number("watches") == 1);
  CHECK(number("requests") == 2);
  CHECK(ask(server, "POST", "/-/tabernetes/metrics").status == 405);
}

TEST_CASE("metrics: DELETE and a reset begin anew, a fork goes on", "[server]") {
  ApiServer server;
  server.mark_initial_state();
  REQUIRE(create_config_map(server, "a") == 201);
  const std::string line = total("201", "", "resource", "POST", 1);
  CHECK(has_line(metrics(server), line));
  const auto fork = server.fork();
  CHECK(text_of(ask(server, "DELETE", "/metrics")) == "200 metrics reset\n");
  CHECK_FALSE(has_line(metrics(server), line));
  CHECK(has_line(metrics(*fork), line));
  fork->reset();
  CHECK_FALSE(has_line(metrics(*fork), line));
}

TEST_CASE("metrics: a count comes back as it was, and room ends quietly", "[server]") {
  RequestMetrics metrics;
  const RequestKind kind{.verb = RequestKind::Verb::kList,
                         .scope = RequestKind::Scope::kNamespace,
                         .dry_run = true,
                         .type = 4000,
                         .subresource = 60};
  metrics.count(kind, 504, 12345, Duration::from_seconds(100));
  const auto counts = metrics.counts();
  REQUIRE(counts.size() == 1);
  CHECK(counts[0].kind == kind);
  CHECK(counts[0].code == 504);
  CHECK(counts[0].bytes == 12345);
  CHECK(counts[0].size_bucket == 2);
  CHECK(counts[0].duration_bucket == std::size(kDurationBuckets));
  for (std::size_t type = 1; type < 4000; ++type) {
    metrics.count({.verb = RequestKind::Verb::kGet, .type = type}, 200, 1, {});
  }
  CHECK(metrics.counts().size() <= 1024);
}

}  // namespace
}  // namespace tabernetes::server
