#include "apps_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kDaemonSets{"apps", "v1", "daemonsets"};
constexpr LoopFixture::Resource kDaemonNodes{"", "v1", "nodes"};

class DaemonFixture : public AppsFixture {
 public:
  DaemonFixture() : AppsFixture({"daemonset-controller"}) {
    put_node("a");
    put_node("b");
  }
  // `spec` is JSON.
  void put_node(const std::string& name, const std::string& labels = "{}",
                const std::string& spec = "{}") {
    put(kDaemonNodes, "",
        R"({"metadata":{"name":")" + name + R"(","labels":)" + labels + R"(},"spec":)" + spec +
            "}");
  }
  void create_set(std::string_view more = "") {
    REQUIRE(create(kDaemonSets, "default", workload(more)) == "");
  }
  // Returns the nodes for which there are pods, that are not being deleted.
  std::string nodes() {
    std::string text;
    for (const std::string& pod : live_pods()) {
      std::string node = stored(kAppPods, "default", pod,
                                "spec.affinity.nodeAffinity."
                                "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms."
                                "0.matchFields.0.values.0");
      text += node.substr(1, node.size() - 2);
    }
    std::sort(text.begin(), text.end());
    return text;
  }
  // As a scheduler and kubelets do.
  void live_on_nodes() {
    for (int i = 0; i < 50; ++i) {
      settle();
      bool waits = false;
      for (const std::string& pod : pods()) {
        if (is_terminating(pod)) {
          remove(kAppPods, "default", pod);
          waits = true;
        } else if (!is_ready(pod)) {
          const json::Value object = registry.find_object(kAppPods, "default", pod, arena);
          run_pod(pod, true, summarize_pod(object, nullptr).target_node);
          waits = true;
        }
      }
      if (!waits) return;
    }
    FAIL("the cluster does not come to rest");
  }
};

TEST_CASE("daemon set: a pod for each node, with the tolerations of a daemon", "[controllers]") {
  DaemonFixture cluster;
  cluster.create_set();
  cluster.settle();
  CHECK(cluster.nodes() == "ab");
  const std::string pod = cluster.pods()[0];
  CHECK(cluster.stored(kAppPods, "default", pod, "spec.tolerations.0") ==
        R"({"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute"})");
  CHECK(cluster.stored(kAppPods, "default", pod, "spec.tolerations.5") ==
        R"({"key":"node.kubernetes.io/unschedulable","operator":"Exists","effect":"NoSchedule"})");
  CHECK(cluster.stored(kAppPods, "default", pod, "metadata.labels.pod-template-generation") ==
        R"("1")");
  CHECK(cluster.status(kDaemonSets) ==
        R"({"currentNumberScheduled":2,"numberMisscheduled":0,"desiredNumberScheduled":2,)"
        R"("numberReady":0,"observedGeneration":1,"updatedNumberScheduled":2,)"
        R"("numberUnavailable":2})");
  cluster.live_on_nodes();
  CHECK(cluster.status(kDaemonSets) ==
        R"({"currentNumberScheduled":2,"numberMisscheduled":0,"desiredNumberScheduled":2,)"
        R"("numberReady":2,"observedGeneration":1,"updatedNumberScheduled":2,)"
        R"("numberAvailable":2})");
  cluster.put_node("c");
  cluster.settle();
  CHECK(cluster.nodes() == "abc");
}

TEST_CASE("daemon set: which nodes suit", "[controllers]") {
  struct Case {
    std::string_view spec;  // of the pods, besides the containers
    std::string_view nodes;
  };
  const Case cases[] = {
      {"", "an"},
      {R"("nodeSelector":{"disk":"ssd"},)", "a"},
      {R"("nodeName":"a",)", "a"},
      {R"("tolerations":[{"operator":"Exists"}],)", "abnx"},
      {R"("tolerations":[{"key":"gpu","value":"yes","effect":"NoSchedule"}],)", "abn"},
      {R"("tolerations":[{"key":"gpu","value":"no"}],)", "an"},
      {R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
       R"({"nodeSelectorTerms":[{"matchExpressions":[{"key":"disk","operator":"NotIn",)"
       R"("values":["ssd"]}]}]}}},)",
       "n"},
      {R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
       R"({"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In",)"
       R"("values":["n"]}]},{"matchExpressions":[{"key":"cores","operator":"Gt",)"
       R"("values":["3"]}]}]}}},)",
       "an"},
  };
  for (const Case& c : cases) {
    INFO(c.spec);
    DaemonFixture cluster;
    cluster.put_node("a", R"({"disk":"ssd","cores":"4"})");
    cluster.put_node("b", "{}",
                     R"({"taints":[{"key":"gpu","value":"yes","effect":"NoSchedule"}]})");
    cluster.put_node("n", "{}",
                     R"({"taints":[{"key":"p","effect":"PreferNoSchedule"},)"
                     R"({"key":"node.kubernetes.io/not-ready","effect":"NoExecute"}]})");
    cluster.put_node("x", "{}", R"({"taints":[{"key":"out","effect":"NoExecute"}]})");
    REQUIRE(cluster.create(
                kDaemonSets, "default",
                R"({"metadata":{"name":"web"},"spec":{"selector":{"matchLabels":{"app":"web"}},)"
                R"("template":{"metadata":{"labels":{"app":"web"}},"spec":{)" +
                    std::string(c.spec) + R"("containers":[{"name":"c","image":"x"}]}}}})") == "");
    cluster.settle();
    CHECK(cluster.nodes() == c.nodes);
  }
}

TEST_CASE("daemon set: a taint that is not tolerated drives pods away only if it executes",
          "[controllers]") {
  DaemonFixture cluster;
  cluster.create_set();
  cluster.live_on_nodes();
  cluster.put_node("a", "{}", R"({"taints":[{"key":"k","effect":"NoSchedule"}]})");
  cluster.settle();
  CHECK(cluster.live_pods().size() == 2);
  CHECK(cluster.stored(kDaemonSets, "default", "web", "status.numberMisscheduled") == "0");
  cluster.put_node("b", "{}", R"({"taints":[{"key":"k","effect":"NoExecute"}]})");
  cluster.settle();
  CHECK(cluster.nodes() == "a");
  CHECK(cluster.stored(kDaemonSets, "default", "web", "status.numberMisscheduled") == "2");
  CHECK(cluster.stored(kDaemonSets, "default", "web", "status.desiredNumberScheduled") == "0");
}

TEST_CASE("daemon set: a rolling update replaces one pod after the other", "[controllers]") {
  DaemonFixture cluster;
  cluster.create_set();
  cluster.live_on_nodes();
  cluster.set_image(kDaemonSets, "nginx:2");
  cluster.settle();
  CHECK(cluster.live_pods().size() == 1);
  cluster.live_on_nodes();
  CHECK(cluster.nodes() == "ab");
  for (const std::string& pod : cluster.pods()) {
    CHECK(cluster.stored(kAppPods, "default", pod, "spec.containers.0.image") == R"("nginx:2")");
  }
  CHECK(cluster.stored(kDaemonSets, "default", "web", "status.updatedNumberScheduled") == "2");
  CHECK(cluster.names({"apps", "v1", "controllerrevisions"}, "default").find(' ') !=
        std::string::npos);
}

TEST_CASE("daemon set: with surge the new pod comes first", "[controllers]") {
  DaemonFixture cluster;
  cluster.create_set(R"("updateStrategy":{"type":"RollingUpdate","rollingUpdate":)"
                     R"({"maxSurge":1,"maxUnavailable":0}},)");
  cluster.live_on_nodes();
  cluster.set_image(kDaemonSets, "nginx:2");
  cluster.settle();
  CHECK(cluster.nodes() == "aab");
  cluster.live_on_nodes();
  CHECK(cluster.nodes() == "ab");
  for (const std::string& pod : cluster.pods()) {
    CHECK(cluster.stored(kAppPods, "default", pod, "spec.containers.0.image") == R"("nginx:2")");
  }
}

TEST_CASE("daemon set: with surge the old pod goes when the new one has been ready long enough",
          "[controllers]") {
  DaemonFixture cluster;
  cluster.create_set(R"("minReadySeconds":2,"updateStrategy":{"type":"RollingUpdate",)"
                     R"("rollingUpdate":{"maxSurge":1,"maxUnavailable":0}},)");
  for (int i = 0; i < 10; ++i) {
    cluster.live_on_nodes();
    cluster.run();
  }
  cluster.set_image(kDaemonSets, "nginx:2");
  cluster.live_on_nodes();
  CHECK(cluster.nodes() == "aab");
  for (int i = 0; i < 10; ++i) {
    cluster.run();
    cluster.live_on_nodes();
  }
  CHECK(cluster.nodes() == "ab");
  CHECK(cluster.stored(kDaemonSets, "default", "web", "status.updatedNumberScheduled") == "2");
}

TEST_CASE("daemon set: pods that are made do not change which nodes count", "[controllers]") {
  DaemonFixture cluster;
  cluster.create_set();
  cluster.live_on_nodes();
  CHECK(cluster.values(kDaemonSets, "status.desiredNumberScheduled") ==
        std::vector<std::string>{"0", "2"});
  CHECK(cluster.values(kDaemonSets, "status.numberMisscheduled") == std::vector<std::string>{"0"});
}

TEST_CASE("daemon set: OnDelete waits for somebody to delete", "[controllers]") {
  DaemonFixture cluster;
  cluster.create_set(R"("updateStrategy":{"type":"OnDelete"},)");
  cluster.live_on_nodes();
  cluster.set_image(kDaemonSets, "nginx:2");
  cluster.settle();
  CHECK(cluster.live_pods().size() == 2);
  CHECK(cluster.stored(kDaemonSets, "default", "web", "status.updatedNumberScheduled") == "");
  REQUIRE(cluster.erase(kAppPods, "default", cluster.pods()[0]) == "");
  cluster.live_on_nodes();
  CHECK(cluster.stored(kDaemonSets, "default", "web", "status.updatedNumberScheduled") == "1");
}

TEST_CASE("daemon set: failed pods are replaced, ever more slowly", "[controllers]") {
  DaemonFixture cluster;
  cluster.remove(kDaemonNodes, "", "b");
  cluster.create_set();
  cluster.live_on_nodes();
  const std::string first = cluster.pods()[0];
  cluster.finish_pod(first, "Failed");
  cluster.settle();
  REQUIRE(cluster.pods().size() == 1);
  const std::string second = cluster.pods()[0];
  CHECK(second != first);
  bool told = false;
  for (const std::string& event : cluster.events()) {
    told = told || event == "FailedDaemonPod Found failed daemon pod default/" + first +
                                " on node a, will try to kill it";
  }
  CHECK(told);
  cluster.run_pod(second, false, "a");
  cluster.finish_pod(second, "Failed");
  cluster.settle();
  CHECK(cluster.pods() == std::vector<std::string>{second});
  cluster.run(Duration::from_seconds(1));
  cluster.settle();
  CHECK(cluster.pods() != std::vector<std::string>{second});
}

}  // namespace
}  // namespace tabernetes::controllers
