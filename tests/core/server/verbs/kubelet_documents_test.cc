// Tests what simulated nodes tell of usage, and metrics.k8s.io.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

#include "../requests.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kApiService =
    "/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io";
constexpr std::string_view kGroup = "/apis/metrics.k8s.io";

constexpr std::string_view kPage =
    R"(# HELP container_cpu_usage_seconds_total [STABLE] Cumulative cpu time consumed by the container in core-seconds
# TYPE container_cpu_usage_seconds_total counter
container_cpu_usage_seconds_total{container="c",namespace="a",pod="q"} 0.03925 1767225640250
container_cpu_usage_seconds_total{container="c",namespace="a-b",pod="p"} 0.03925 1767225640250
# HELP container_memory_working_set_bytes [STABLE] Current working set of the container in bytes
# TYPE container_memory_working_set_bytes gauge
container_memory_working_set_bytes{container="c",namespace="a",pod="q"} 1.6777216e+07 1767225640250
container_memory_working_set_bytes{container="c",namespace="a-b",pod="p"} 1.6777216e+07 1767225640250
# HELP container_start_time_seconds [STABLE] Start time of the container since unix epoch in seconds
# TYPE container_start_time_seconds gauge
container_start_time_seconds{container="c",namespace="a",pod="q"} 1.767225601e+09
container_start_time_seconds{container="c",namespace="a-b",pod="p"} 1.767225601e+09
# HELP node_cpu_usage_seconds_total [STABLE] Cumulative cpu time consumed by the node in core-seconds
# TYPE node_cpu_usage_seconds_total counter
node_cpu_usage_seconds_total 4.1055 1767225640250
# HELP node_memory_working_set_bytes [STABLE] Current working set of the node in bytes
# TYPE node_memory_working_set_bytes gauge
node_memory_working_set_bytes 5.70425344e+08 1767225640250
# HELP pod_cpu_usage_seconds_total [STABLE] Cumulative cpu time consumed by the pod in core-seconds
# TYPE pod_cpu_usage_seconds_total counter
pod_cpu_usage_seconds_total{namespace="a",pod="q"} 0.03925 1767225640250
pod_cpu_usage_seconds_total{namespace="a-b",pod="p"} 0.03925 1767225640250
# HELP pod_memory_working_set_bytes [STABLE] Current working set of the pod in bytes
# TYPE pod_memory_working_set_bytes gauge
pod_memory_working_set_bytes{namespace="a",pod="q"} 1.6777216e+07 1767225640250
pod_memory_working_set_bytes{namespace="a-b",pod="p"} 1.6777216e+07 1767225640250
# HELP resource_scrape_error [STABLE] 1 if there was an error while getting container metrics, 0 otherwise
# TYPE resource_scrape_error gauge
resource_scrape_error 0
)";

Options with_node() {
  Options options;
  options.now = Time::from_unix_milliseconds(1'767'225'600'250);
  options.controllers = {"kubelet"};
  options.nodes = 1;
  return options;
}

void run_pod(ApiServer& server, std::string_view ns, std::string_view name) {
  const std::string text(ns);
  (void)ask(server, "POST", "/api/v1/namespaces", R"({"metadata":{"name":")" + text + R"("}})");
  REQUIRE(ask(server, "POST", "/api/v1/namespaces/" + text + "/pods",
              R"({"metadata":{"name":")" + std::string(name) +
                  R"("},"spec":{"nodeName":"node-1","containers":[{"name":"c","image":"i"}]}})")
              .status == 201);
}

TEST_CASE("kubelet documents: metrics are written as a kubelet's registry does it") {
  ApiServer server(with_node());
  run_pod(server, "a-b", "p");
  run_pod(server, "a", "q");
  server.advance(server.time() + Duration::from_seconds(40));
  CHECK(get(server, "/api/v1/nodes/node-1/proxy/metrics/resource") == "200 " + std::string(kPage));
}

TEST_CASE("kubelet documents: metrics.k8s.io is served while its APIService exists") {
  ApiServer server(with_node());
  const std::string nodes = std::string(kGroup) + "/v1beta1/nodes";
  CHECK(ask(server, "GET", nodes).status == 200);
  REQUIRE(ask(server, "DELETE", kApiService).status == 200);
  for (const std::string& path : {std::string(kGroup), nodes, std::string(kGroup) + "/v1beta1"}) {
    CHECK(get(server, path) == "404 404 page not found\n");
  }
  CHECK(get(server, "/apis").find("metrics.k8s.io") == std::string::npos);
  const auto fork = server.fork();
  CHECK(ask(*fork, "GET", nodes).status == 404);
  REQUIRE(ask(server, "POST", kApiService.substr(0, kApiService.rfind('/')),
              R"({"metadata":{"name":"v1beta1.metrics.k8s.io"},"spec":{"group":"metrics.k8s.io",)"
              R"("version":"v1beta1","groupPriorityMinimum":100,"versionPriority":100,)"
              R"("service":{"namespace":"kube-system","name":"metrics-server"}}})")
              .status == 201);
  CHECK(ask(server, "GET", nodes).status == 200);
  CHECK(ask(*fork, "GET", nodes).status == 404);
}

}  // namespace
}  // namespace tabernetes::server
