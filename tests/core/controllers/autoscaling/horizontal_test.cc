#include <algorithm>
#include <map>
#include <string>

#include "../loop_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kTestedAutoscalers{"autoscaling", "v2", "horizontalpodautoscalers"};
constexpr LoopFixture::Resource kScaledDeployments{"apps", "v1", "deployments"};
constexpr LoopFixture::Resource kTestedApiServices{"apiregistration.k8s.io", "v1", "apiservices"};
constexpr LoopFixture::Resource kMeasuredPods{"", "v1", "pods"};
constexpr LoopFixture::Resource kScaleEvents{"", "v1", "events"};

// All pods use the same.
class SameUsage final : public PodUsage {
 public:
  std::optional<Sample> usage_of(const json::Value&, Time now) const override {
    return Sample{now, Duration::from_seconds(15), {{"c", milli_cpu, 100}}};
  }
  std::int64_t milli_cpu = 0;
};

// The autoscaler `h` scales the deployment `d`, whose pods request 100m CPU each.
class AutoscalerFixture : public LoopFixture {
 public:
  AutoscalerFixture() : LoopFixture("horizontal-pod-autoscaler-controller") {}

  void put_deployment(int replicas) {
    put(kScaledDeployments, "default",
        R"({"metadata":{"name":"d","uid":"ud"},"spec":{"replicas":)" + std::to_string(replicas) +
            R"(,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},)"
            R"("spec":{"containers":[{"name":"c","image":"x"}]}}}})");
    for (int i = 0; i < replicas; ++i) {
      put(kMeasuredPods, "default",
          R"({"metadata":{"name":"p)" + std::to_string(i) +
              R"(","labels":{"a":"b"}},"spec":{"containers":[{"name":"c","resources":)"
              R"({"requests":{"cpu":"100m"}}}]},"status":{"phase":"Running","startTime":)"
              R"("1970-01-01T00:00:00Z","conditions":[{"type":"Ready","status":"True",)"
              R"("lastTransitionTime":"1970-01-01T00:00:00Z"}]}})");
    }
  }
  void measure(const SameUsage& usage) {
    put(kTestedApiServices, {}, R"({"metadata":{"name":"v1beta1.metrics.k8s.io"}})");
    set_pod_usage(&usage);
  }
  void create_autoscaler(std::string_view target = "d") {
    REQUIRE(create(kTestedAutoscalers, "default",
                   R"({"metadata":{"name":"h"},"spec":{"maxReplicas":5,"minReplicas":2,)"
                   R"("metrics":[{"type":"Resource","resource":{"name":"cpu","target":)"
                   R"({"type":"Utilization","averageUtilization":50}}}],)"
                   R"("scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":")" +
                       std::string(target) + R"("}}})") == "");
  }
  std::string at(std::string_view path) { return stored(kTestedAutoscalers, "default", "h", path); }
  std::string replicas() { return stored(kScaledDeployments, "default", "d", "spec.replicas"); }
  void evaluate() { run(Duration::from_seconds(15)); }
  std::vector<std::string> events() {
    std::vector<std::string> texts;
    registry.each_object(kScaleEvents, arena, [&](const json::Value& event) {
      texts.push_back(std::string(event.string_at("reason")) + ": " +
                      std::string(event.string_at("message")));
    });
    return texts;
  }
};

TEST_CASE("autoscaling: a target that is missing, or below the minimum", "[controllers]") {
  AutoscalerFixture missing;
  missing.create_autoscaler("none");
  missing.evaluate();
  CHECK(missing.at("status.conditions.0") ==
        R"({"type":"AbleToScale","status":"False","lastTransitionTime":"1970-01-01T00:00:16Z",)"
        R"("reason":"FailedGetScale","message":"the HPA controller was unable to get the target's )"
        R"(current scale: deployments.apps \"none\" not found"})");
  CHECK(missing.events() ==
        std::vector<std::string>{"FailedGetScale: deployments.apps \"none\" not found"});

  AutoscalerFixture below;
  below.put_deployment(1);
  below.create_autoscaler();
  below.evaluate();
  CHECK(below.replicas() == "2");
  CHECK(below.at("status") ==
        R"({"lastScaleTime":"1970-01-01T00:00:16Z","currentReplicas":1,"desiredReplicas":2,)"
        R"("currentMetrics":null,"conditions":[{"type":"AbleToScale","status":"True",)"
        R"("lastTransitionTime":"1970-01-01T00:00:16Z","reason":"SucceededRescale","message":)"
        R"("the HPA controller was able to update the target scale to 2"}]})");
  CHECK(below.events() ==
        std::vector<std::string>{"SuccessfulRescale: New size: 2; reason: Current number of "
                                 "replicas below Spec.MinReplicas"});
}

TEST_CASE("autoscaling: two autoscalers of the same pods leave them alone", "[controllers]") {
  AutoscalerFixture cluster;
  SameUsage usage;
  usage.milli_cpu = 100;
  cluster.measure(usage);
  cluster.put_deployment(2);
  cluster.create_autoscaler();
  cluster.evaluate();
  CHECK(cluster.replicas() == "4");
  REQUIRE(cluster.create(kTestedAutoscalers, "default",
                         R"({"metadata":{"name":"i"},"spec":{"maxReplicas":5,"scaleTargetRef":)"
                         R"({"apiVersion":"apps/v1","kind":"Deployment","name":"d"}}})") == "");
  cluster.evaluate();
  cluster.evaluate();
  const std::string message =
      "pods by selector a=b are controlled by multiple HPAs: [default/h default/i]";
  CHECK(cluster.at("status.conditions.1.message") == "\"" + message + "\"");
  CHECK(cluster.at("status.conditions.1.reason") == R"("AmbiguousSelector")");
  CHECK(cluster.at("status.currentMetrics") == "null");
  const std::vector<std::string> events = cluster.events();
  CHECK(std::count(events.begin(), events.end(), "AmbiguousSelector: " + message) == 2);
  CHECK(std::count(events.begin(), events.end(), "FailedComputeMetricsReplicas: " + message) == 2);
}

TEST_CASE("autoscaling: a cluster is at rest between two evaluations, not before the first",
          "[controllers]") {
  AutoscalerFixture cluster;
  cluster.put_deployment(2);
  cluster.create_autoscaler();
  CHECK_FALSE(cluster.settled());
  cluster.evaluate();
  CHECK(cluster.settled());
  const std::size_t events = cluster.events().size();
  cluster.evaluate();
  CHECK(cluster.settled());
  CHECK(cluster.events().size() == events);
}

TEST_CASE("autoscaling: without metrics it says so", "[controllers]") {
  AutoscalerFixture cluster;
  // There is usage, but no APIService tells it.
  const SameUsage usage;
  cluster.set_pod_usage(&usage);
  cluster.put_deployment(2);
  cluster.create_autoscaler();
  cluster.evaluate();
  CHECK(cluster.at("status.currentMetrics") == R"([{"type":""}])");
  CHECK(cluster.at("status.conditions.1.message") ==
        "\"the HPA was unable to compute the replica count: failed to get cpu utilization: unable "
        "to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the "
        "server could not find the requested resource (get pods.metrics.k8s.io)\"");
}

TEST_CASE("autoscaling: replicas follow the use of CPU", "[controllers]") {
  struct Case {
    std::int64_t milli_cpu;
    std::string_view replicas, metrics, limited;
  };
  const Case cases[] = {
      // Within a tenth of the target nothing changes.
      {52, "2",
       R"([{"type":"Resource","resource":{"name":"cpu","current":{"averageValue":"52m",)"
       R"("averageUtilization":52}}}])",
       R"("DesiredWithinRange")"},
      {75, "3",
       R"([{"type":"Resource","resource":{"name":"cpu","current":{"averageValue":"75m",)"
       R"("averageUtilization":75}}}])",
       R"("DesiredWithinRange")"},
      {300, "4",
       R"([{"type":"Resource","resource":{"name":"cpu","current":{"averageValue":"300m",)"
       R"("averageUtilization":300}}}])",
       R"("ScaleUpLimit")"},
  };
  for (const Case& c : cases) {
    INFO(c.milli_cpu);
    AutoscalerFixture cluster;
    SameUsage usage;
    usage.milli_cpu = c.milli_cpu;
    cluster.measure(usage);
    cluster.run(Duration::from_seconds(600));
    cluster.put_deployment(2);
    cluster.create_autoscaler();
    cluster.evaluate();
    CHECK(cluster.replicas() == c.replicas);
    CHECK(cluster.at("status.currentMetrics") == c.metrics);
    CHECK(cluster.at("status.conditions.2.reason") == c.limited);
    CHECK(cluster.at("status.conditions.1.message") ==
          "\"the HPA was able to successfully calculate a replica count from cpu resource "
          "utilization (percentage of request)\"");
  }
}

}  // namespace
}  // namespace tabernetes::controllers
