#include "apps_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kSets{"apps", "v1", "replicasets"};
constexpr LoopFixture::Resource kReplicationSets{"", "v1", "replicationcontrollers"};

class SetFixture : public AppsFixture {
 public:
  SetFixture() : AppsFixture({"replicaset-controller"}) {}
  void create_set(std::string_view more) {
    REQUIRE(create(kSets, "default", workload(more)) == "");
  }
};

TEST_CASE("replica set: it makes the pods of its template, and tells it", "[controllers]") {
  SetFixture cluster;
  cluster.create_set(R"("replicas":2,)");
  cluster.settle();
  const std::vector<std::string> pods = cluster.pods();
  REQUIRE(pods.size() == 2);
  CHECK(pods[0].starts_with("web-"));
  CHECK(pods[0].size() == 9);
  CHECK(cluster.stored(kAppPods, "default", pods[0], "metadata.labels") == R"({"app":"web"})");
  const std::string uid = cluster.stored(kSets, "default", "web", "metadata.uid");
  CHECK(cluster.stored(kAppPods, "default", pods[0], "metadata.ownerReferences") ==
        R"([{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":)" + uid +
            R"(,"controller":true,"blockOwnerDeletion":true}])");
  CHECK(cluster.stored(kAppPods, "default", pods[0], "metadata.managedFields.0.manager") ==
        R"("kube-controller-manager")");
  CHECK(
      cluster.status(kSets) ==
      R"({"replicas":2,"fullyLabeledReplicas":2,"terminatingReplicas":0,"observedGeneration":1})");
  std::vector<std::string> events = cluster.events();
  REQUIRE(events.size() == 2);
  CHECK((events[0] == "SuccessfulCreate Created pod: " + pods[0] ||
         events[0] == "SuccessfulCreate Created pod: " + pods[1]));
  cluster.live();
  CHECK(cluster.status(kSets) ==
        R"({"replicas":2,"fullyLabeledReplicas":2,"readyReplicas":2,"availableReplicas":2,)"
        R"("terminatingReplicas":0,"observedGeneration":1})");
}

TEST_CASE("replica set: a pod that goes is replaced at once, and counted until it is gone",
          "[controllers]") {
  SetFixture cluster;
  cluster.create_set(R"("replicas":1,)");
  cluster.live();
  const std::string pod = cluster.pods()[0];
  REQUIRE(cluster.erase(kAppPods, "default", pod) == "");
  cluster.settle();
  CHECK(cluster.pods().size() == 2);
  CHECK(cluster.live_pods().size() == 1);
  CHECK(
      cluster.status(kSets) ==
      R"({"replicas":1,"fullyLabeledReplicas":1,"terminatingReplicas":1,"observedGeneration":1})");
  cluster.live();
  CHECK(cluster.stored(kSets, "default", "web", "status.terminatingReplicas") == "0");
}

TEST_CASE("replica set: what dies first", "[controllers]") {
  SetFixture cluster;
  cluster.create_set(R"("replicas":4,)");
  cluster.live();
  const std::vector<std::string> pods = cluster.pods();
  // One is not ready; of the others, one costs less.
  cluster.run_pod(pods[2], false);
  cluster.edit(kAppPods, pods[1], [&](json::Value& pod) {
    object_or_new(*pod.find("metadata"), "annotations", cluster.arena)
        .set(cluster.arena, "controller.kubernetes.io/pod-deletion-cost",
             json::Value::string("-5"));
  });
  cluster.settle();
  cluster.scale(kSets, 3);
  cluster.settle();
  CHECK(cluster.live_pods() == std::vector<std::string>{pods[0], pods[1], pods[3]});
  cluster.scale(kSets, 2);
  cluster.settle();
  CHECK(cluster.live_pods() == std::vector<std::string>{pods[0], pods[3]});
  CHECK(cluster.events().back() == "SuccessfulDelete Deleted pod: " + pods[1]);
}

TEST_CASE("replica set: it adopts orphans that it selects, and releases pods that it does not",
          "[controllers]") {
  SetFixture cluster;
  const std::string orphan = R"({"metadata":{"name":"a","labels":{"app":"web"}},)"
                             R"("spec":{"containers":[{"name":"c","image":"x"}]}})";
  REQUIRE(cluster.create(kAppPods, "default", orphan) == "");
  cluster.create_set(R"("replicas":1,)");
  cluster.settle();
  CHECK(cluster.pods() == std::vector<std::string>{"a"});
  CHECK(cluster.stored(kAppPods, "default", "a", "metadata.ownerReferences.0.name") == R"("web")");
  const auto relabel = [&](std::string_view app) {
    cluster.edit(kAppPods, "a", [&](json::Value& pod) {
      pod.find("metadata")->find("labels")->set(cluster.arena, "app", json::Value::string(app));
    });
    cluster.settle();
  };
  relabel("other");
  CHECK(cluster.pods().size() == 2);
  CHECK(cluster.stored(kAppPods, "default", "a", "metadata.ownerReferences") == "");
  // Adopted once more: one too many.
  relabel("web");
  CHECK(cluster.stored(kAppPods, "default", "a", "metadata.ownerReferences.0.name") == R"("web")");
  CHECK(cluster.live_pods().size() == 1);
}

TEST_CASE("replica set: pods that cannot be made are a condition, and are tried again",
          "[controllers]") {
  SetFixture cluster;
  // Validation of pods refuses what that of the template lets pass.
  cluster.put(kSets, "default",
              R"({"metadata":{"name":"web","uid":"u1","generation":1},"spec":{"replicas":3,)"
              R"("selector":{"matchLabels":{"app":"web"}},"template":{"metadata":)"
              R"({"labels":{"app":"web"}},"spec":{"containers":[]}}},"status":{"replicas":0}})");
  cluster.run();
  const std::string message =
      cluster.stored(kSets, "default", "web", "status.conditions.0.message");
  CHECK(cluster.conditions(kSets) == std::vector<std::string>{"ReplicaFailure=True FailedCreate"});
  CHECK(message.find("spec.containers: Required value") != std::string::npos);
  const auto next = cluster.next();
  REQUIRE(next);
  CHECK(*next > cluster.now);
  const std::vector<std::string> events = cluster.events();
  REQUIRE(events.size() >= 1);
  CHECK(events[0].starts_with("FailedCreate Error creating: Pod "));
}

TEST_CASE("replica set: a pod is available when it was ready for long enough", "[controllers]") {
  SetFixture cluster;
  cluster.create_set(R"("replicas":1,"minReadySeconds":5,)");
  cluster.live();
  CHECK(cluster.stored(kSets, "default", "web", "status.readyReplicas") == "1");
  CHECK(cluster.stored(kSets, "default", "web", "status.availableReplicas") == "");
  cluster.run(Duration::from_seconds(5));
  cluster.settle();
  CHECK(cluster.stored(kSets, "default", "web", "status.availableReplicas") == "1");
  CHECK(cluster.settled());
}

TEST_CASE("replication controller: the same, with labels as selector and without terminating pods",
          "[controllers]") {
  AppsFixture cluster({"replicationcontroller-controller"});
  REQUIRE(cluster.create(kReplicationSets, "default",
                         R"({"metadata":{"name":"web"},"spec":{"replicas":1,"selector":)"
                         R"({"app":"web"},"template":)" +
                             AppsFixture::pod_template() + "}}") == "");
  cluster.live();
  CHECK(cluster.status(kReplicationSets) ==
        R"({"replicas":1,"fullyLabeledReplicas":1,"readyReplicas":1,"availableReplicas":1,)"
        R"("observedGeneration":1})");
  CHECK(cluster.events() ==
        std::vector<std::string>{"SuccessfulCreate Created pod: " + cluster.pods()[0]});
}

}  // namespace
}  // namespace tabernetes::controllers
