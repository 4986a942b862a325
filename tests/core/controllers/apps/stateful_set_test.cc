#include <algorithm>

#include "apps_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kStatefulSets{"apps", "v1", "statefulsets"};
constexpr LoopFixture::Resource kStatefulClaims{"", "v1", "persistentvolumeclaims"};
constexpr LoopFixture::Resource kStatefulRevisions{"apps", "v1", "controllerrevisions"};

using Names = std::vector<std::string>;

class StatefulFixture : public AppsFixture {
 public:
  StatefulFixture() : AppsFixture({"statefulset-controller"}) {}
  void create_set(std::string_view more) {
    REQUIRE(create(kStatefulSets, "default",
                   workload(R"("serviceName":"db",)" + std::string(more))) == "");
  }
  // Returns the image of a pod.
  std::string image(std::string_view pod) {
    return stored(kAppPods, "default", pod, "spec.containers.0.image");
  }
};

TEST_CASE("stateful set: pods come one after the other, each when the last is ready",
          "[controllers]") {
  StatefulFixture cluster;
  cluster.create_set(R"("replicas":3,)");
  cluster.settle();
  CHECK(cluster.pods() == Names{"web-0"});
  const std::string revision = cluster.names(kStatefulRevisions, "default");
  CHECK(cluster.stored(kAppPods, "default", "web-0", "metadata.labels") ==
        R"({"app":"web","apps.kubernetes.io/pod-index":"0","controller-revision-hash":")" +
            revision + R"(","statefulset.kubernetes.io/pod-name":"web-0"})");
  CHECK(cluster.stored(kAppPods, "default", "web-0", "spec.hostname") == R"("web-0")");
  CHECK(cluster.stored(kAppPods, "default", "web-0", "spec.subdomain") == R"("db")");
  CHECK(cluster.status(kStatefulSets) ==
        R"({"observedGeneration":1,"replicas":1,"currentReplicas":1,"updatedReplicas":1,)"
        R"("currentRevision":")" +
            revision + R"(","updateRevision":")" + revision +
            R"(","collisionCount":0,"availableReplicas":0})");
  cluster.run_pod("web-0");
  cluster.settle();
  CHECK(cluster.pods() == Names{"web-0", "web-1"});
  cluster.live();
  CHECK(cluster.pods() == Names{"web-0", "web-1", "web-2"});
  CHECK(cluster.events() ==
        Names{"SuccessfulCreate Create Pod web-0 in StatefulSet web successful",
              "SuccessfulCreate Create Pod web-1 in StatefulSet web successful",
              "SuccessfulCreate Create Pod web-2 in StatefulSet web successful"});
  CHECK(cluster.settled());
}

TEST_CASE("stateful set: down from the highest, each when the last is gone", "[controllers]") {
  StatefulFixture cluster;
  cluster.create_set(R"("replicas":3,)");
  cluster.live();
  cluster.scale(kStatefulSets, 1);
  cluster.settle();
  CHECK(cluster.live_pods() == Names{"web-0", "web-1"});
  cluster.remove(kAppPods, "default", "web-2");
  cluster.settle();
  CHECK(cluster.live_pods() == Names{"web-0"});
  cluster.live();
  CHECK(cluster.pods() == Names{"web-0"});
}

TEST_CASE("stateful set: Parallel does all at once; ordinals may start elsewhere",
          "[controllers]") {
  StatefulFixture cluster;
  cluster.create_set(R"("replicas":3,"podManagementPolicy":"Parallel","ordinals":{"start":5},)");
  cluster.settle();
  CHECK(cluster.pods() == Names{"web-5", "web-6", "web-7"});
  cluster.scale(kStatefulSets, 1);
  cluster.settle();
  CHECK(cluster.live_pods() == Names{"web-5"});
}

TEST_CASE("stateful set: a rolling update from the highest ordinal down to the partition",
          "[controllers]") {
  StatefulFixture cluster;
  cluster.create_set(
      R"("replicas":3,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1}},)");
  cluster.live();
  cluster.set_image(kStatefulSets, "nginx:2");
  cluster.settle();
  CHECK(cluster.live_pods() == Names{"web-0", "web-1"});
  cluster.live();
  CHECK(cluster.image("web-0") == R"("nginx:1")");
  CHECK(cluster.image("web-1") == R"("nginx:2")");
  CHECK(cluster.image("web-2") == R"("nginx:2")");
  CHECK(cluster.stored(kStatefulSets, "default", "web", "status.currentReplicas") == "1");
  CHECK(cluster.stored(kStatefulSets, "default", "web", "status.updatedReplicas") == "2");
  // A pod below the partition comes back as it was.
  REQUIRE(cluster.erase(kAppPods, "default", "web-0") == "");
  cluster.live();
  CHECK(cluster.image("web-0") == R"("nginx:1")");
  // Back to the first template: its revision is the newest.
  cluster.set_image(kStatefulSets, "nginx:1");
  cluster.live();
  CHECK(cluster.image("web-2") == R"("nginx:1")");
  std::string numbers;
  cluster.registry.each_object(kStatefulRevisions, cluster.arena, [&](const json::Value& revision) {
    numbers += std::to_string(number_at(revision, {"revision"})) + " ";
  });
  CHECK((numbers == "3 2 " || numbers == "2 3 "));
}

TEST_CASE("stateful set: OnDelete updates only what somebody deletes", "[controllers]") {
  StatefulFixture cluster;
  cluster.create_set(R"("replicas":2,"updateStrategy":{"type":"OnDelete"},)");
  cluster.live();
  cluster.set_image(kStatefulSets, "nginx:2");
  cluster.live();
  CHECK(cluster.image("web-1") == R"("nginx:1")");
  REQUIRE(cluster.erase(kAppPods, "default", "web-1") == "");
  cluster.live();
  CHECK(cluster.image("web-0") == R"("nginx:1")");
  CHECK(cluster.image("web-1") == R"("nginx:2")");
}

TEST_CASE("stateful set: a pod that failed is replaced", "[controllers]") {
  StatefulFixture cluster;
  cluster.create_set(R"("replicas":1,)");
  cluster.live();
  cluster.finish_pod("web-0", "Failed");
  cluster.settle();
  CHECK((cluster.pods().empty() || cluster.is_terminating("web-0") ||
         cluster.stored(kAppPods, "default", "web-0", "status.phase") == R"("Pending")"));
  cluster.live();
  CHECK(cluster.is_ready("web-0"));
}

constexpr std::string_view kClaimTemplates =
    R"("volumeClaimTemplates":[{"metadata":{"name":"data"},"spec":{"accessModes":)"
    R"(["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}],)";

TEST_CASE("stateful set: claims come before their pods and stay", "[controllers]") {
  StatefulFixture cluster;
  cluster.create_set(R"("replicas":1,)" + std::string(kClaimTemplates));
  cluster.settle();
  CHECK(cluster.names(kStatefulClaims, "default") == "data-web-0");
  CHECK(cluster.stored(kStatefulClaims, "default", "data-web-0", "metadata.labels") ==
        R"({"app":"web"})");
  CHECK(cluster.stored(kStatefulClaims, "default", "data-web-0", "metadata.ownerReferences") == "");
  CHECK(cluster.stored(kAppPods, "default", "web-0", "spec.volumes.0") ==
        R"({"name":"data","persistentVolumeClaim":{"claimName":"data-web-0"}})");
  CHECK(cluster.events()[0] ==
        "SuccessfulCreate Create Claim data-web-0 Pod web-0 in StatefulSet web success");
}

TEST_CASE("stateful set: claims that are deleted with the set or with their pod belong to them",
          "[controllers]") {
  StatefulFixture cluster;
  cluster.create_set(R"("replicas":2,"persistentVolumeClaimRetentionPolicy":)"
                     R"({"whenDeleted":"Delete","whenScaled":"Delete"},)" +
                     std::string(kClaimTemplates));
  cluster.live();
  const auto owner = [&](std::string_view claim) {
    return cluster.stored(kStatefulClaims, "default", claim, "metadata.ownerReferences.0.kind");
  };
  CHECK(owner("data-web-0") == R"("StatefulSet")");
  CHECK(owner("data-web-1") == R"("StatefulSet")");
  cluster.scale(kStatefulSets, 1);
  cluster.settle();
  CHECK(owner("data-web-0") == R"("StatefulSet")");
  CHECK(owner("data-web-1") == R"("Pod")");
  CHECK(cluster.live_pods() == Names{"web-0"});
  cluster.edit(kStatefulSets, "web", [&](json::Value& set) {
    set.find("spec")
        ->find("persistentVolumeClaimRetentionPolicy")
        ->set(cluster.arena, "whenDeleted", json::Value::string("Retain"));
  });
  cluster.live();
  CHECK(owner("data-web-0") == "");
  const Names events = cluster.events();
  CHECK(std::count(events.begin(), events.end(),
                   "SuccessfulUpdate Update Pod web-0 in StatefulSet web successful") == 1);
}

TEST_CASE("stateful set: revisions that nobody uses go, beyond the limit", "[controllers]") {
  StatefulFixture cluster;
  cluster.create_set(R"("replicas":1,"revisionHistoryLimit":1,)");
  cluster.live();
  for (const std::string_view image : {"nginx:2", "nginx:3", "nginx:4"}) {
    cluster.set_image(kStatefulSets, image);
    cluster.live();
  }
  int count = 0;
  cluster.registry.each_object(kStatefulRevisions, cluster.arena,
                               [&](const json::Value&) { ++count; });
  CHECK(count == 2);
}

}  // namespace
}  // namespace tabernetes::controllers
