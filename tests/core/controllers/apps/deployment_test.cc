#include "apps_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kDeployments{"apps", "v1", "deployments"};

class DeploymentFixture : public AppsFixture {
 public:
  DeploymentFixture() : AppsFixture({"deployment-controller", "replicaset-controller"}) {}
  void create_deployment(std::string_view more) {
    REQUIRE(create(kDeployments, "default", workload(more)) == "");
  }
  // Returns REPLICAS of the ReplicaSets by revision: "3 1".
  std::string sets() {
    std::map<std::int64_t, std::int64_t> by_revision;
    registry.each_object(kDeploymentSets, arena, [&](const json::Value& set) {
      const std::string revision(
          text_at(set, {"metadata", "annotations", "deployment.kubernetes.io/revision"}));
      by_revision[std::stoll(revision)] = number_at(set, {"spec", "replicas"});
    });
    std::string text;
    for (const auto& [revision, replicas] : by_revision) {
      text += (text.empty() ? "" : " ") + std::to_string(replicas);
    }
    return text;
  }
  std::string annotation(std::string_view key) {
    const json::Value object = registry.find_object(kDeployments, "default", "web", arena);
    return std::string(text_at(object, {"metadata", "annotations", key}));
  }
};

TEST_CASE("deployment: it makes a ReplicaSet, and tells how it comes along", "[controllers]") {
  DeploymentFixture cluster;
  cluster.create_deployment(R"("replicas":2,)");
  cluster.settle();
  const std::string set = cluster.names(kDeploymentSets, "default");
  REQUIRE(set.starts_with("web-"));
  const std::string hash = set.substr(4);
  CHECK(cluster.stored(kDeploymentSets, "default", set, "spec.selector") ==
        R"({"matchLabels":{"app":"web","pod-template-hash":")" + hash + R"("}})");
  CHECK(cluster.stored(kDeploymentSets, "default", set, "metadata.annotations") ==
        R"({"deployment.kubernetes.io/desired-replicas":"2",)"
        R"("deployment.kubernetes.io/max-replicas":"3","deployment.kubernetes.io/revision":"1"})");
  CHECK(cluster.annotation("deployment.kubernetes.io/revision") == "1");
  CHECK(cluster.conditions(kDeployments) ==
        std::vector<std::string>{"Available=False MinimumReplicasUnavailable",
                                 "Progressing=True ReplicaSetUpdated"});
  cluster.live();
  CHECK(cluster.conditions(kDeployments) ==
        std::vector<std::string>{"Available=True MinimumReplicasAvailable",
                                 "Progressing=True NewReplicaSetAvailable"});
  CHECK(cluster.status(kDeployments) ==
        R"({"observedGeneration":1,"replicas":2,"updatedReplicas":2,"readyReplicas":2,)"
        R"("availableReplicas":2,"terminatingReplicas":0})");
  CHECK(cluster.stored(kDeployments, "default", "web", "status.conditions.1.message") ==
        R"("ReplicaSet \")" + set + R"(\" has successfully progressed.")");
  CHECK(cluster.events().back() ==
        "ScalingReplicaSet Scaled up replica set " + set + " from 0 to 2");
  CHECK(cluster.settled());
}

TEST_CASE("deployment: a rolling update, step by step", "[controllers]") {
  DeploymentFixture cluster;
  cluster.create_deployment(R"("replicas":4,)");
  cluster.live();
  cluster.set_image(kDeployments, "nginx:2");
  cluster.settle();
  CHECK(cluster.sets() == "3 2");
  for (const std::string_view sets : {"1 4", "0 4"}) {
    cluster.play_kubelets();
    cluster.settle();
    CHECK(cluster.sets() == sets);
  }
  cluster.live();
  CHECK(cluster.sets() == "0 4");
  CHECK(cluster.live_pods().size() == 4);
  CHECK(cluster.annotation("deployment.kubernetes.io/revision") == "2");
  // Back to the first template: its set has a new revision, and keeps the old one.
  cluster.set_image(kDeployments, "nginx:1");
  cluster.live();
  CHECK(cluster.sets() == "0 4");
  CHECK(cluster.annotation("deployment.kubernetes.io/revision") == "3");
  std::string history;
  cluster.registry.each_object(kDeploymentSets, cluster.arena, [&](const json::Value& set) {
    history +=
        text_at(set, {"metadata", "annotations", "deployment.kubernetes.io/revision-history"});
  });
  CHECK(history == "1");
}

TEST_CASE("deployment: Recreate waits until all old pods are gone", "[controllers]") {
  DeploymentFixture cluster;
  cluster.create_deployment(R"("replicas":2,"strategy":{"type":"Recreate"},)");
  cluster.live();
  const std::vector<std::string> old = cluster.pods();
  cluster.set_image(kDeployments, "nginx:2");
  cluster.settle();
  CHECK(cluster.sets() == "0");
  CHECK(cluster.pods() == old);
  cluster.remove(kAppPods, "default", old[0]);
  cluster.settle();
  CHECK(cluster.sets() == "0");
  cluster.remove(kAppPods, "default", old[1]);
  cluster.settle();
  CHECK(cluster.sets() == "0 2");
  cluster.live();
  CHECK(cluster.live_pods().size() == 2);
}

TEST_CASE("deployment: while paused it scales but does not roll", "[controllers]") {
  DeploymentFixture cluster;
  cluster.create_deployment(R"("replicas":1,)");
  cluster.live();
  const auto pause = [&](bool paused) {
    cluster.edit(kDeployments, "web", [&](json::Value& object) {
      object.find("spec")->set(cluster.arena, "paused", json::Value::boolean(paused));
    });
    cluster.settle();
  };
  pause(true);
  CHECK(cluster.conditions(kDeployments)[1] == "Progressing=Unknown DeploymentPaused");
  cluster.set_image(kDeployments, "nginx:2");
  cluster.scale(kDeployments, 3);
  cluster.live();
  CHECK(cluster.sets() == "3");
  CHECK(cluster.stored(kDeployments, "default", "web", "status.updatedReplicas") == "");
  pause(false);
  cluster.live();
  CHECK(cluster.sets() == "0 3");
  CHECK(cluster.conditions(kDeployments)[1] == "Progressing=True NewReplicaSetAvailable");
}

// Upstream's second write of a reconciliation conflicts; the next one finds the set that is there.
TEST_CASE("deployment: the set that it makes when it is resumed has no condition of its own",
          "[controllers]") {
  DeploymentFixture cluster;
  cluster.create_deployment(R"("replicas":1,"paused":true,)");
  cluster.settle();
  cluster.edit(kDeployments, "web", [&](json::Value& object) {
    object.find("spec")->set(cluster.arena, "paused", json::Value::boolean(false));
  });
  cluster.live();
  CHECK(cluster.sets() == "1");
  CHECK(cluster.conditions(kDeployments)[1] == "Progressing=True NewReplicaSetAvailable");
  for (const std::string& conditions : cluster.values(kDeployments, "status.conditions")) {
    CHECK(conditions.find("NewReplicaSetCreated") == std::string::npos);
  }
}

TEST_CASE("deployment: during a rollout all sets are scaled in proportion", "[controllers]") {
  DeploymentFixture cluster;
  cluster.create_deployment(R"("replicas":6,)");
  cluster.live();
  cluster.set_image(kDeployments, "nginx:2");
  cluster.settle();
  REQUIRE(cluster.sets() == "5 3");
  cluster.scale(kDeployments, 12);
  cluster.settle();
  CHECK(cluster.sets() == "9 6");
}

TEST_CASE("deployment: without progress it times out, and a change saves it", "[controllers]") {
  DeploymentFixture cluster;
  cluster.create_deployment(R"("replicas":1,"progressDeadlineSeconds":5,)");
  cluster.settle();
  cluster.run(Duration::from_seconds(4));
  CHECK(cluster.conditions(kDeployments)[1] == "Progressing=True ReplicaSetUpdated");
  cluster.run(Duration::from_seconds(2));
  cluster.settle();
  CHECK(cluster.conditions(kDeployments)[1] == "Progressing=False ProgressDeadlineExceeded");
  CHECK(cluster.settled());
  cluster.live();
  CHECK(cluster.conditions(kDeployments)[1] == "Progressing=True NewReplicaSetAvailable");
}

TEST_CASE("deployment: once there, it does not time out when a pod fails", "[controllers]") {
  DeploymentFixture cluster;
  cluster.create_deployment(R"("replicas":1,"progressDeadlineSeconds":5,)");
  cluster.live();
  cluster.run(Duration::from_seconds(10));
  cluster.run_pod(cluster.pods().front(), false);
  cluster.settle();
  CHECK(cluster.conditions(kDeployments) ==
        std::vector<std::string>{"Progressing=True NewReplicaSetAvailable",
                                 "Available=False MinimumReplicasUnavailable"});
  CHECK(cluster.settled());
}

TEST_CASE("deployment: old sets beyond the limit of the history go", "[controllers]") {
  DeploymentFixture cluster;
  cluster.create_deployment(R"("replicas":1,"revisionHistoryLimit":1,)");
  cluster.live();
  for (const std::string_view image : {"nginx:2", "nginx:3", "nginx:4"}) {
    cluster.set_image(kDeployments, image);
    cluster.live();
  }
  CHECK(cluster.sets() == "0 1");
}

TEST_CASE("deployment: another object with the name of its ReplicaSet is a collision",
          "[controllers]") {
  DeploymentFixture cluster;
  cluster.create_deployment(R"("replicas":1,)");
  cluster.settle();
  const std::string set = cluster.names(kDeploymentSets, "default");
  DeploymentFixture other;
  other.put(kDeploymentSets, "default",
            R"({"metadata":{"name":")" + set +
                R"(","uid":"x"},"spec":{"replicas":0,"selector":{"matchLabels":{"a":"b"}},)"
                R"("template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[]}}}})");
  other.create_deployment(R"("replicas":1,)");
  other.live();
  CHECK(other.stored(kDeployments, "default", "web", "status.collisionCount") == "1");
  CHECK(other.live_pods().size() == 1);
}

TEST_CASE("deployment: one that selects everything is refused by an event", "[controllers]") {
  DeploymentFixture cluster;
  cluster.put(kDeployments, "default",
              R"({"metadata":{"name":"web","uid":"u","generation":1},"spec":{"replicas":1,)"
              R"("selector":{},"template":)" +
                  AppsFixture::pod_template() + R"(},"status":{}})");
  cluster.run();
  CHECK(cluster.events()[0] ==
        "SelectingAll This deployment is selecting all pods. A non-empty selector is required. x2");
  CHECK(cluster.pods().empty());
}

}  // namespace
}  // namespace tabernetes::controllers
