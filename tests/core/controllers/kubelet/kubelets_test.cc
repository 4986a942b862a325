#include "controllers/kubelet/kubelets.h"

#include <catch2/catch_test_macros.hpp>

#include "base/time/rfc3339.h"
#include "kubelet_fixture.h"

namespace tabernetes::controllers::kubelet {
namespace {

using Texts = std::vector<std::string>;

TEST_CASE("kubelet: keeps its node's lease and status", "[controllers]") {
  KubeletFixture cluster;
  CHECK(cluster.stored(kLeases, "kube-node-lease", "n1", "spec") ==
        R"({"holderIdentity":"n1","leaseDurationSeconds":40,)"
        R"("renewTime":"2026-01-01T00:00:00.000100Z"})");
  CHECK(cluster.stored(kNodes, "", "n1", "status.conditions.3.reason") == R"("KubeletReady")");
  CHECK(
      cluster.stored(kNodes, "", "n1", "metadata.labels") ==
      R"({"beta.kubernetes.io/arch":"amd64","beta.kubernetes.io/os":"linux",)"
      R"("kubernetes.io/arch":"amd64","kubernetes.io/hostname":"n1","kubernetes.io/os":"linux"})");
  CHECK(cluster.settled());
  CHECK(cluster.run_seconds(299) == 30);  // leases only
  CHECK(cluster.stored(kNodes, "", "n1", "status.conditions.3.lastHeartbeatTime") ==
        R"("2026-01-01T00:00:00Z")");
  cluster.run_seconds(11);
  CHECK(cluster.stored(kNodes, "", "n1", "status.conditions.3.lastHeartbeatTime") >
        R"("2026-01-01T00:05:00Z")");
  CHECK(cluster.stored(kNodes, "", "n1", "status.conditions.3.lastTransitionTime") ==
        R"("2026-01-01T00:00:00Z")");
}

TEST_CASE("kubelet: only nodes that are marked are simulated", "[controllers]") {
  KubeletFixture cluster;
  cluster.put_node("fake", "10.2.0.0/24", R"("kwok.x-k8s.io/node":"fake")");
  cluster.put_node("real", "10.3.0.0/24", R"("x":"y")");
  cluster.create_pod("p", kApp, "", "real");
  cluster.run_seconds(2);
  CHECK(cluster.stored(kNodes, "", "fake", "status.allocatable") ==
        R"({"cpu":"1k","memory":"1Ti","pods":"1M"})");
  CHECK(cluster.stored(kNodes, "", "real", "status.conditions") == "");
  CHECK(cluster.state("p") == "Pending");
  cluster.put_node("real", "10.3.0.0/24");  // now it is
  cluster.run_seconds(2);
  CHECK(cluster.state("p") == "Running app=running,ready");
}

TEST_CASE("kubelet: a pod runs and is ready after a moment", "[controllers]") {
  KubeletFixture cluster;
  cluster.create_pod("web", kApp);
  cluster.run(Duration::from_milliseconds(10));
  CHECK(cluster.state("web") == "Pending app=ContainerCreating");
  CHECK(cluster.condition("web", "PodReadyToStartContainers") == "False");
  CHECK(cluster.condition("web", "Initialized") == "True");
  CHECK(cluster.condition("web", "Ready") ==
        "False:ContainersNotReady:containers with unready status: [app]");
  CHECK(cluster.condition("web", "PodScheduled") == "True");
  CHECK(cluster.run_seconds(2) == 1);
  CHECK(cluster.state("web") == "Running app=running,ready");
  CHECK(cluster.condition("web", "PodReadyToStartContainers") == "True");
  CHECK(cluster.condition("web", "Ready") == "True");
  CHECK(cluster.stored(kPods, "default", "web", "status.podIP") == R"("10.1.0.2")");
  CHECK(cluster.stored(kPods, "default", "web", "status.observedGeneration") == "1");
  CHECK(cluster.events() ==
        Texts{"Pulling: Pulling image \"nginx\"",
              "Pulled: Successfully pulled image \"nginx\" in 700ms (700ms including waiting). "
              "Image size: 41705409 bytes.",
              "Created: Container created", "Started: Container started"});
  CHECK(cluster.settled());

  cluster.create_pod("again", R"("containers":[{"name":"app","image":"nginx",)"
                              R"("imagePullPolicy":"IfNotPresent"}])");
  cluster.run_seconds(2);
  CHECK(cluster.stored(kPods, "default", "again", "status.podIP") == R"("10.1.0.3")");
  CHECK(cluster.events()[0] ==
        "Pulled: Container image \"nginx\" already present on machine and can be accessed by the "
        "pod");
}

TEST_CASE("kubelet: init containers run in order, sidecars go on", "[controllers]") {
  KubeletFixture cluster;
  cluster.create_pod("p", R"("initContainers":[{"name":"first","image":"a"},)"
                          R"({"name":"side","image":"a","restartPolicy":"Always"}],)"
                          R"("restartPolicy":"Never",)" +
                              std::string(kApp));
  std::string last;
  Texts states;
  for (int i = 0; i < 80; ++i) {
    cluster.run(Duration::from_milliseconds(100));
    if (cluster.state("p") != last) states.push_back(last = cluster.state("p"));
  }
  CHECK(states == Texts{
                      "Pending first=PodInitializing side=PodInitializing app=PodInitializing",
                      "Pending first=running side=PodInitializing app=PodInitializing",
                      "Pending first=Completed,ready side=PodInitializing app=PodInitializing",
                      "Pending first=Completed,ready side=running,ready app=PodInitializing",
                      "Running first=Completed,ready side=running,ready app=running,ready",
                      "Succeeded first=Completed,ready side=Completed app=Completed",
                  });
  CHECK(cluster.condition("p", "Initialized") == "True:PodCompleted");
  CHECK(cluster.condition("p", "Ready") == "False:PodCompleted");
  CHECK(cluster.settled());
}

TEST_CASE("kubelet: a pod that is deleted stops within its grace period", "[controllers]") {
  KubeletFixture cluster;
  cluster.behave(R"([{"match": {"name": "slow"}, "stop": "never"}])");
  cluster.create_pod("quick", kApp);
  cluster.create_pod("slow", R"("terminationGracePeriodSeconds":5,)" + std::string(kApp));
  cluster.create_pod("asleep", R"("containers":[{"name":"app","image":"nginx","lifecycle":)"
                               R"({"preStop":{"sleep":{"seconds":3}}}}])");
  cluster.run_seconds(5);
  for (const std::string_view name : {"quick", "slow", "asleep"}) {
    REQUIRE(cluster.erase(kPods, "default", name) == "");
  }
  cluster.run_seconds(1);
  CHECK(cluster.state("quick") == "gone");
  CHECK(cluster.state("slow") == "Running app=running,ready");
  CHECK(cluster.stored(kPods, "default", "slow", "status.observedGeneration") == "2");
  cluster.run(Duration::from_milliseconds(1500));
  CHECK(cluster.state("asleep") == "Running app=running,ready");
  cluster.run_seconds(2);
  CHECK(cluster.state("asleep") == "gone");
  CHECK(cluster.state("slow") == "Running app=running,ready");
  cluster.run_seconds(1);
  CHECK(cluster.state("slow") == "gone");
  CHECK(cluster.settled());
}

TEST_CASE("kubelet: containers that end are restarted after longer and longer breaks",
          "[controllers]") {
  KubeletFixture cluster;
  cluster.behave(R"([{"exit": {"after": "1s", "code": 3}}])");
  cluster.create_pod("p", kApp);
  std::string last;
  Texts states;
  for (int i = 0; i < 30; ++i) {
    cluster.run_seconds(1);
    if (cluster.state("p") != last) states.push_back(last = cluster.state("p"));
  }
  CHECK(states == Texts{"Pending app=ContainerCreating", "Running app=running,ready",
                        "Running app=Error", "Running app=running,ready*1", "Running app=Error*1",
                        "Running app=CrashLoopBackOff*1", "Running app=running,ready*2",
                        "Running app=Error*2", "Running app=CrashLoopBackOff*2"});
  CHECK(cluster.settled());
  CHECK(cluster.stored(kPods, "default", "p", "status.containerStatuses.0.state.waiting.message")
            .starts_with("\"back-off 20s restarting failed container=app pod=p_default("));
  CHECK(cluster.stored(kPods, "default", "p",
                       "status.containerStatuses.0.lastState.terminated.exitCode") == "3");
}

TEST_CASE("kubelet: an image that cannot be pulled", "[controllers]") {
  KubeletFixture cluster;
  cluster.behave(R"([{"match": {"image": "broken:*"}, "pull": {"time": "1s", "error": true}}])");
  cluster.create_pod("p", R"("containers":[{"name":"app","image":"broken:1"},)"
                          R"({"name":"other","image":"nginx"}])");
  std::string last;
  Texts states;
  for (int i = 0; i < 20; ++i) {
    cluster.run_seconds(1);
    if (cluster.state("p") != last) states.push_back(last = cluster.state("p"));
  }
  CHECK(states == Texts{"Pending app=ContainerCreating other=ContainerCreating",
                        "Pending app=ErrImagePull other=running,ready",
                        "Pending app=ImagePullBackOff other=running,ready",
                        "Pending app=ErrImagePull other=running,ready",
                        "Pending app=ImagePullBackOff other=running,ready"});
  CHECK(cluster.stored(kPods, "default", "p", "status.containerStatuses.0.state.waiting.message") ==
        R"("Back-off pulling image \"broken:1\": ErrImagePull: rpc error: code = NotFound desc = )"
        R"(failed to pull and unpack image \"docker.io/library/broken:1\": failed to resolve )"
        R"(reference \"docker.io/library/broken:1\": docker.io/library/broken:1: not found")");
  cluster.behave("[]");
  cluster.run_seconds(30);
  CHECK(cluster.state("p") == "Running app=running,ready other=running,ready");
}

TEST_CASE("kubelet: a pod waits for its ConfigMap", "[controllers]") {
  KubeletFixture cluster;
  cluster.create_pod("mounts",
                     R"("volumes":[{"name":"v","configMap":{"name":"c"}}],)" + std::string(kApp));
  cluster.create_pod("reads", R"("containers":[{"name":"app","image":"nginx","env":[{"name":"E",)"
                              R"("valueFrom":{"configMapKeyRef":{"name":"c","key":"k"}}}]}])");
  cluster.run_seconds(2);
  CHECK(cluster.state("mounts") == "Pending app=ContainerCreating");
  CHECK(cluster.state("reads") == "Pending app=CreateContainerConfigError");
  CHECK(cluster.settled());
  CHECK(cluster.events()[0] ==
        "FailedMount: MountVolume.SetUp failed for volume \"v\" : configmap \"c\" not found");
  REQUIRE(cluster.create({"", "v1", "configmaps"}, "default",
                         R"({"metadata":{"name":"c"},"data":{"k":"v"}})") == "");
  cluster.run_seconds(2);
  CHECK(cluster.state("mounts") == "Running app=running,ready");
  CHECK(cluster.state("reads") == "Running app=running,ready");
}

TEST_CASE("kubelet: a pod's deadline", "[controllers]") {
  KubeletFixture cluster;
  cluster.create_pod("p", R"("activeDeadlineSeconds":5,)" + std::string(kApp));
  cluster.run_seconds(6);
  CHECK(cluster.state("p") == "Failed app=Error");
  CHECK(cluster.stored(kPods, "default", "p", "status.reason") == R"("DeadlineExceeded")");
  CHECK(cluster.stored(kPods, "default", "p", "status.message") ==
        R"("Pod was active on the node longer than the specified deadline")");
  CHECK(cluster.condition("p", "Ready") == "False:PodFailed");
}

TEST_CASE("kubelet: probes and readiness gates decide when a pod is ready", "[controllers]") {
  KubeletFixture cluster;
  cluster.create_pod("p",
                     R"("readinessGates":[{"conditionType":"example.com/ok"}],"containers":[)"
                     R"({"name":"app","image":"nginx","readinessProbe":{"httpGet":{"port":80},)"
                     R"("initialDelaySeconds":3,"periodSeconds":2}}])");
  cluster.run_seconds(3);
  CHECK(cluster.state("p") == "Running app=running");
  cluster.run_seconds(3);
  CHECK(cluster.state("p") == "Running app=running,ready");
  CHECK(cluster.condition("p", "ContainersReady") == "True");
  CHECK(cluster.condition("p", "Ready") ==
        "False:ReadinessGatesNotReady:corresponding condition of pod readiness gate "
        "\"example.com/ok\" does not exist.");
}

TEST_CASE("kubelet: a pod that is resized gets its resources a moment later", "[controllers]") {
  KubeletFixture cluster;
  cluster.create_pod("p", R"("containers":[{"name":"app","image":"nginx",)"
                          R"("resources":{"requests":{"cpu":"100m"}}}])");
  cluster.run_seconds(2);
  const auto resources = [&] {
    return cluster.stored(kPods, "default", "p", "status.containerStatuses.0.resources");
  };
  CHECK(resources() == R"({"requests":{"cpu":"100m"}})");
  std::string pod =
      tests::json_text(cluster.registry.find_object(kPods, "default", "p", cluster.arena));
  const std::size_t at = pod.find(R"({"requests":{"cpu":"100m"}},"termination)");
  REQUIRE(at != pod.npos);
  pod.replace(at, 27, R"({"requests":{"cpu":"200m"}})");
  cluster.put(kPods, "default", pod);
  cluster.run(Duration::from_milliseconds(10));
  CHECK(cluster.condition("p", "PodResizeInProgress") == "True");
  CHECK(cluster.stored(kPods, "default", "p", "status.containerStatuses.0.allocatedResources") ==
        R"({"cpu":"200m"})");
  cluster.run_seconds(2);
  CHECK(cluster.condition("p", "PodResizeInProgress") == "");
  CHECK(resources() == R"({"requests":{"cpu":"200m"}})");
  CHECK(cluster.events().back() ==
        R"(ResizeCompleted: Pod resize completed: {"containers":[{"name":"app","resources":)"
        R"({"requests":{"cpu":"200m"}}}],"generation":1})");
}

TEST_CASE("kubelet: a node that is gone does nothing, and goes on when it is back",
          "[controllers]") {
  KubeletFixture cluster;
  cluster.behave(R"([{"match": {"node": "n1"}, "node": "gone"}])");
  cluster.create_pod("p", kApp);
  CHECK(cluster.run_seconds(60) <= 2);
  CHECK(cluster.state("p") == "Pending");
  cluster.behave("[]");
  cluster.run_seconds(3);
  CHECK(cluster.state("p") == "Running app=running,ready");
  cluster.behave(R"([{"match": {"name": "n1"}, "node": "not ready"}])");
  cluster.run_seconds(1);
  CHECK(cluster.stored(kNodes, "", "n1", "status.conditions.3.reason") == R"("KubeletNotReady")");
}

TEST_CASE("kubelet: a fork goes on alike", "[controllers]") {
  KubeletFixture cluster;
  cluster.create_pod("p", kApp);
  cluster.run(Duration::from_milliseconds(500));
  store::Store store = cluster.store.fork();
  Entropy entropy = cluster.entropy;
  registry::Registry registry(cluster.registry, store, entropy);
  ControlLoops loops(cluster.loops(), registry);
  for (auto due = loops.next(); due && *due <= cluster.now + Duration::from_seconds(5);
       due = loops.next()) {
    store.advance(*due);
    loops.reconcile_due(*due, *due);
  }
  cluster.run_seconds(5);
  const std::string key = cluster.type_of(kPods).key("default", "p");
  CHECK(store.get(key)->bytes == cluster.store.get(key)->bytes);
  CHECK(store.revision() == cluster.store.revision());
}

TEST_CASE("kubelet: no two pods of a node have one address, whatever comes and goes",
          "[controllers][property]") {
  KubeletFixture cluster;
  cluster.put_node("n2", "10.9.0.0/29");  // five addresses
  Entropy random{nullptr, 7};
  std::set<std::string> alive;
  for (int step = 0; step < 300; ++step) {
    const std::string name = "p" + std::to_string(random.below(12));
    if (alive.erase(name) > 0) {
      REQUIRE(cluster.erase(kPods, "default", name) == "");
    } else if (cluster.state(name) == "gone") {
      cluster.create_pod(name, kApp, "", random.below(2) == 0 ? "n1" : "n2");
      alive.insert(name);
    }
    cluster.run(Duration::from_milliseconds(static_cast<std::int64_t>(random.below(3000))));
    std::set<std::string> addresses;
    cluster.registry.each_object(kPods, cluster.arena, [&](const json::Value& pod) {
      const std::string address(text_at(pod, {"status", "podIP"}));
      CHECK((address.empty() || addresses.insert(address).second));
    });
  }
  cluster.run_seconds(60);
  CHECK(cluster.settled());
}

}  // namespace
}  // namespace tabernetes::controllers::kubelet
