#include "../../registry_fixture.h"
#include "controllers/scheduler/node_info.h"
#include "controllers/scheduler/verdict.h"

namespace tabernetes::controllers::scheduling {
namespace {

json::Value value_of(std::string_view text, json::Arena& arena) {
  const codec::JsonRead read = codec::read_json(text, arena);
  REQUIRE(read.ok());
  return read.value;
}

}  // namespace

TEST_CASE("scheduler: quantities", "[controllers]") {
  CHECK(read_quantity("2") == 2);
  CHECK(read_quantity("2", true) == 2000);
  CHECK(read_quantity("250m", true) == 250);
  CHECK(read_quantity("250m") == 1);
  CHECK(read_quantity("1Ki") == 1024);
  CHECK(read_quantity("1G") == 1'000'000'000);
  CHECK(read_quantity("0.5", true) == 500);
  CHECK(read_quantity("1e3") == 1000);
  CHECK(read_quantity("12345678901234") == 12345678901234);
  CHECK(read_quantity("none") == 0);
  CHECK(read_quantity("99999999999999999999") == kMostAmount);
  CHECK(read_quantity("999999999Gi") == kMostAmount);
}

TEST_CASE("scheduler: what a pod requests", "[controllers]") {
  json::Arena arena;
  const PodRequests requests = read_pod_requests(value_of(
      R"({"initContainers":[{"name":"s","restartPolicy":"Always","resources":{"requests":{"cpu":"100m"}}},{"name":"i","resources":{"requests":{"cpu":"2","example.com/gpu":"1"}}}],"containers":[{"name":"a","resources":{"requests":{"cpu":"500m","memory":"1Gi"}}},{"name":"b"}],"overhead":{"cpu":"10m"}})",
      arena));
  CHECK(requests.amounts.milli_cpu == 2110);  // the init container beside the sidecar
  CHECK(requests.amounts.memory == std::int64_t{1} << 30);
  CHECK(requests.amounts.scalar("example.com/gpu") == 1);
  CHECK(requests.nonzero_memory == (std::int64_t{1} << 30) + (std::int64_t{400} << 20));
  const PodRequests own = read_pod_requests(value_of(
      R"({"containers":[{"name":"a","resources":{"requests":{"cpu":"500m"}}}],"resources":{"requests":{"cpu":"3"}}})",
      arena));
  CHECK(own.amounts.milli_cpu == 3000);
  CHECK(own.nonzero_milli_cpu == 3000);
}

TEST_CASE("scheduler: terms of node selectors", "[controllers]") {
  json::Arena arena;
  const LabelSet labels(
      &static_cast<const json::Value&>(value_of(R"({"zone":"z","size":"10"})", arena)));
  const auto matches = [&](std::string_view term) {
    return NodeSelectorTerm(value_of(term, arena)).matches("a", labels);
  };
  const auto on = [&](std::string_view key, std::string_view op, std::string_view values) {
    return matches(R"({"matchExpressions":[{"key":")" + std::string(key) + R"(","operator":")" +
                   std::string(op) + R"(","values":)" + std::string(values) + "}]}");
  };
  CHECK(on("zone", "In", R"(["y","z"])"));
  CHECK_FALSE(on("zone", "NotIn", R"(["z"])"));
  CHECK(on("other", "NotIn", R"(["z"])"));
  CHECK(on("zone", "Exists", "[]"));
  CHECK(on("other", "DoesNotExist", "[]"));
  CHECK(on("size", "Gt", R"(["9"])"));
  CHECK_FALSE(on("size", "Lt", R"(["9"])"));
  CHECK_FALSE(on("size", "Like", R"(["9"])"));
  CHECK_FALSE(matches("{}"));
  CHECK(matches(R"({"matchFields":[{"key":"metadata.name","operator":"In","values":["a"]}]})"));
  CHECK_FALSE(
      matches(R"({"matchFields":[{"key":"metadata.name","operator":"NotIn","values":["a"]}]})"));
}

TEST_CASE("scheduler: taints and tolerations", "[controllers]") {
  const Taint taint{"k", "v", "NoSchedule"};
  CHECK(Toleration{"k", "Equal", "v", ""}.tolerates(taint));
  CHECK(Toleration{"k", "", "v", "NoSchedule"}.tolerates(taint));
  CHECK(Toleration{"", "Exists", "", ""}.tolerates(taint));
  CHECK_FALSE(Toleration{"k", "Equal", "w", ""}.tolerates(taint));
  CHECK_FALSE(Toleration{"k", "Exists", "", "NoExecute"}.tolerates(taint));
  CHECK_FALSE(Toleration{"k", "Gt", "1", ""}.tolerates(taint));
}

TEST_CASE("scheduler: images have a tag", "[controllers]") {
  CHECK(normalised_image("nginx") == "nginx:latest");
  CHECK(normalised_image("nginx:1") == "nginx:1");
  CHECK(normalised_image("host:5000/nginx") == "host:5000/nginx:latest");
}

TEST_CASE("scheduler: host ports", "[controllers]") {
  const HostPort any{"0.0.0.0", "TCP", 80};
  CHECK(any.conflicts({"127.0.0.1", "TCP", 80}));
  CHECK_FALSE(any.conflicts({"127.0.0.1", "UDP", 80}));
  CHECK_FALSE(any.conflicts({"0.0.0.0", "TCP", 81}));
  CHECK_FALSE(HostPort{"127.0.0.1", "TCP", 80}.conflicts({"10.0.0.1", "TCP", 80}));
}

TEST_CASE("scheduler: reasons are sorted as texts", "[controllers]") {
  Histogram reasons;
  CHECK(none_available(12, reasons) == "0/12 nodes are available:");
  reasons.add("Too many pods", 2);
  reasons.add("Insufficient cpu", 10);
  CHECK(none_available(12, reasons) ==
        "0/12 nodes are available: 10 Insufficient cpu, 2 Too many pods.");
}

}  // namespace tabernetes::controllers::scheduling
