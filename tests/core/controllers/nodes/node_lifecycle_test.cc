#include <string>

#include "../loop_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kTestedNodes{"", "v1", "nodes"};
constexpr LoopFixture::Resource kPodsOnNodes{"", "v1", "pods"};
constexpr LoopFixture::Resource kNodeLeases{"coordination.k8s.io", "v1", "leases"};
constexpr LoopFixture::Resource kNodeEvents{"", "v1", "events"};

class NodeFixture : public LoopFixture {
 public:
  explicit NodeFixture(std::string_view loop = "node-lifecycle-controller") : LoopFixture(loop) {}

  void put_node(std::string_view name, std::string_view ready, std::string_view spec = "{}") {
    put(kTestedNodes, "",
        R"({"metadata":{"name":")" + std::string(name) + R"(","uid":"u)" + std::string(name) +
            R"("},"spec":)" + std::string(spec) +
            R"(,"status":{"conditions":[{"type":"Ready","status":")" + std::string(ready) +
            R"(","lastHeartbeatTime":")" + format_time() + R"(Z"}]}})");
  }
  void put_pod(std::string_view name, std::string_view node, std::string_view spec = "") {
    put(kPodsOnNodes, "default",
        R"({"metadata":{"name":")" + std::string(name) + R"(","uid":"u","generation":1},"spec":{)" +
            std::string(spec) + R"("nodeName":")" + std::string(node) +
            R"(","containers":[]},"status":{"phase":"Running","conditions":[)"
            R"({"type":"Ready","status":"True"}]}})");
  }
  void renew(std::string_view node) {
    put(kNodeLeases, "kube-node-lease",
        R"({"metadata":{"name":")" + std::string(node) + R"("},"spec":{"renewTime":")" +
            format_time() + R"(.000000Z"}})");
  }
  void run_seconds(int seconds) {
    for (int i = 0; i < seconds * 2; ++i) run(Duration::from_milliseconds(500));
  }
  // Returns KEY:EFFECT of each taint.
  std::string taints(std::string_view node) {
    const json::Value object = registry.find_object(kTestedNodes, "", node, arena);
    std::string text;
    for (const json::Value& taint : items_at(object, {"spec", "taints"})) {
      text.append(text.empty() ? "" : " ").append(taint.string_at("key"));
      text.append(":").append(taint.string_at("effect"));
    }
    return text;
  }
  std::vector<std::string> events() {
    std::vector<std::string> texts;
    registry.each_object(kNodeEvents, arena, [&](const json::Value& event) {
      texts.push_back(std::string(event.string_at("reason")) + ": " +
                      std::string(event.string_at("message")));
    });
    return texts;
  }

 private:
  std::string format_time() const {
    const std::int64_t seconds = now.unix_seconds();
    const std::string two = std::to_string(seconds % 60);
    return "1970-01-01T00:0" + std::to_string(seconds / 60) + ":" + (two.size() < 2 ? "0" : "") +
           two;
  }
};

TEST_CASE("node lifecycle: taints follow conditions", "[controllers]") {
  NodeFixture cluster;
  cluster.put_node("a", "True");
  cluster.put_node("n", "False", R"({"unschedulable":true})");
  cluster.run();
  CHECK(cluster.taints("n") ==
        "node.kubernetes.io/not-ready:NoSchedule node.kubernetes.io/unschedulable:NoSchedule");
  CHECK(cluster.taints("a") == "");
  cluster.run_seconds(6);
  CHECK(cluster.taints("n") ==
        "node.kubernetes.io/not-ready:NoSchedule node.kubernetes.io/unschedulable:NoSchedule "
        "node.kubernetes.io/not-ready:NoExecute");
  CHECK(cluster.events() ==
        std::vector<std::string>{"RegisteredNode: Node a event: Registered Node a in Controller",
                                 "RegisteredNode: Node n event: Registered Node n in Controller"});
}

TEST_CASE("node lifecycle: a node that is no longer heard of", "[controllers]") {
  NodeFixture cluster;
  cluster.put_node("a", "True");
  cluster.put_node("n", "True");
  cluster.put_pod("p", "n");
  for (int i = 0; i < 12; ++i) {
    cluster.renew("a");
    if (i < 2) cluster.renew("n");
    cluster.run_seconds(5);
  }
  CHECK(cluster.taints("n") == "");
  cluster.renew("a");
  cluster.run_seconds(5);
  CHECK(cluster.stored(kTestedNodes, "", "n", "status.conditions.0") ==
        R"({"type":"Ready","status":"Unknown","lastHeartbeatTime":"1970-01-01T00:00:01Z",)"
        R"("lastTransitionTime":"1970-01-01T00:01:05Z","reason":"NodeStatusUnknown",)"
        R"("message":"Kubelet stopped posting node status."})");
  CHECK(cluster.stored(kPodsOnNodes, "default", "p", "status.conditions.0.status") == R"("False")");
  CHECK(cluster.taints("n") ==
        "node.kubernetes.io/unreachable:NoSchedule node.kubernetes.io/unreachable:NoExecute");
  CHECK(cluster.taints("a") == "");
  // It comes back.
  cluster.put_node("n", "True",
                   R"({"taints":[{"key":"node.kubernetes.io/unreachable","effect":"NoExecute"}]})");
  cluster.run_seconds(6);
  CHECK(cluster.taints("n") == "");
}

TEST_CASE("node lifecycle: when all nodes are down, no pods are evicted", "[controllers]") {
  NodeFixture cluster;
  cluster.put_node("n", "True");
  cluster.run_seconds(70);
  CHECK(cluster.stored(kTestedNodes, "", "n", "status.conditions.0.status") == R"("Unknown")");
  CHECK(cluster.taints("n") == "node.kubernetes.io/unreachable:NoSchedule");
}

TEST_CASE("taint eviction: pods go when they no longer tolerate a taint", "[controllers]") {
  NodeFixture cluster("taint-eviction-controller");
  const std::string tolerates =
      R"("tolerations":[{"key":"k","operator":"Exists","effect":"NoExecute","tolerationSeconds":5}],)";
  cluster.put_node("n", "True");
  cluster.put_pod("now", "n");
  cluster.put_pod("later", "n", tolerates);
  cluster.put_pod("never", "n", R"("tolerations":[{"operator":"Exists"}],)");
  cluster.run();
  cluster.put_node("n", "True", R"({"taints":[{"key":"k","effect":"NoExecute"}]})");
  cluster.run();
  CHECK(cluster.names(kPodsOnNodes, "default") == "later never now");
  CHECK(cluster.stored(kPodsOnNodes, "default", "now", "status.conditions.1") ==
        R"({"type":"DisruptionTarget","observedGeneration":1,"status":"True","lastProbeTime":null,)"
        R"("lastTransitionTime":"1970-01-01T00:00:03Z","reason":"DeletionByTaintManager",)"
        R"("message":"Taint manager: deleting due to NoExecute taint"})");
  CHECK(cluster.stored(kPodsOnNodes, "default", "now", "metadata.deletionTimestamp") != "");
  CHECK(cluster.stored(kPodsOnNodes, "default", "later", "metadata.deletionTimestamp") == "");
  cluster.run_seconds(6);
  CHECK(cluster.stored(kPodsOnNodes, "default", "later", "metadata.deletionTimestamp") != "");
  CHECK(cluster.stored(kPodsOnNodes, "default", "never", "metadata.deletionTimestamp") == "");
  CHECK(cluster.events() ==
        std::vector<std::string>{"TaintManagerEviction: Marking for deletion Pod default/later",
                                 "TaintManagerEviction: Marking for deletion Pod default/now"});
}

TEST_CASE("taint eviction: a taint that goes in time spares the pods", "[controllers]") {
  NodeFixture cluster("taint-eviction-controller");
  cluster.put_node("n", "True", R"({"taints":[{"key":"k","effect":"NoExecute"}]})");
  cluster.put_pod("p", "n",
                  R"("tolerations":[{"key":"k","operator":"Exists","tolerationSeconds":5}],)");
  cluster.run_seconds(3);
  cluster.put_node("n", "True");
  cluster.run_seconds(9);
  CHECK(cluster.stored(kPodsOnNodes, "default", "p", "metadata.deletionTimestamp") == "");
  CHECK(cluster.events() ==
        std::vector<std::string>{"TaintManagerEviction: Cancelling deletion of Pod default/p"});
}

TEST_CASE("pod garbage collector: pods of nodes that are gone", "[controllers]") {
  NodeFixture cluster("pod-garbage-collector-controller");
  cluster.put_node("n", "True");
  cluster.put_pod("p", "n");
  cluster.run_seconds(2);
  cluster.remove(kTestedNodes, "", "n");
  cluster.run_seconds(50);
  CHECK(cluster.exists(kPodsOnNodes, "default", "p"));
  cluster.run_seconds(20);
  CHECK_FALSE(cluster.exists(kPodsOnNodes, "default", "p"));
}

TEST_CASE("node ipam and ttl: each node has a range of its own, and the annotation",
          "[controllers]") {
  NodeFixture ranges("node-ipam-controller");
  ranges.put_node("a", "True", R"({"podCIDR":"10.244.0.0/24","podCIDRs":["10.244.0.0/24"]})");
  ranges.put_node("b", "True");
  ranges.put_node("c", "True");
  ranges.run();
  CHECK(ranges.stored(kTestedNodes, "", "b", "spec") ==
        R"({"podCIDR":"10.244.1.0/24","podCIDRs":["10.244.1.0/24"]})");
  ranges.remove(kTestedNodes, "", "b");
  ranges.run();
  ranges.put_node("d", "True");
  ranges.run();
  CHECK(ranges.stored(kTestedNodes, "", "d", "spec.podCIDR") == R"("10.244.1.0/24")");

  NodeFixture ttl("ttl-controller");
  ttl.put_node("a", "True");
  ttl.run();
  CHECK(ttl.stored(kTestedNodes, "", "a", "metadata.annotations") ==
        R"({"node.alpha.kubernetes.io/ttl":"0"})");
  for (int i = 0; i < 101; ++i) ttl.put_node("n" + std::to_string(i), "True");
  ttl.run();
  CHECK(ttl.stored(kTestedNodes, "", "n100", "metadata.annotations") ==
        R"({"node.alpha.kubernetes.io/ttl":"15"})");
}

}  // namespace
}  // namespace tabernetes::controllers
