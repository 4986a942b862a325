#include <algorithm>
#include <string>
#include <vector>

#include "../loop_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kTestedServices{"", "v1", "services"};
constexpr LoopFixture::Resource kServedPods{"", "v1", "pods"};
constexpr LoopFixture::Resource kServedNodes{"", "v1", "nodes"};
constexpr LoopFixture::Resource kTestedEndpoints{"", "v1", "endpoints"};
constexpr LoopFixture::Resource kTestedSlices{"discovery.k8s.io", "v1", "endpointslices"};

// The service `s` selects pods with the label a=b; the node `n` is in zone `z`.
class ServiceFixture : public LoopFixture {
 public:
  explicit ServiceFixture(std::string_view loop) : LoopFixture(loop) {
    put(kServedNodes, "",
        R"({"metadata":{"name":"n","labels":{"topology.kubernetes.io/zone":"z"}}})");
  }
  void create_service(std::string_view more = "") {
    REQUIRE(create(kTestedServices, "default",
                   R"({"metadata":{"name":"s"},"spec":{"selector":{"a":"b"},)" + std::string(more) +
                       R"("ports":[{"port":80,"targetPort":8080}]}})") == "");
    run();
  }
  void put_pod(std::string_view name, std::string_view ip, bool ready,
               std::string_view metadata = "") {
    put(kServedPods, "default",
        R"({"metadata":{"name":")" + std::string(name) + R"(","namespace":"default",)" +
            R"("uid":"u)" + std::string(name) + R"(",)" + std::string(metadata) +
            R"("labels":{"a":"b"}},"spec":{"nodeName":"n","containers":[]},"status":{"podIP":")" +
            std::string(ip) + R"(","podIPs":[{"ip":")" + std::string(ip) +
            R"("}],"conditions":[{"type":"Ready","status":")" + (ready ? "True" : "False") +
            R"(","lastTransitionTime":"1970-01-01T00:00:09Z"}]}})");
    run();
  }
  // Returns the slice's name. REQUIRES: there is one.
  std::string slice() const { return names(kTestedSlices, "default"); }
  std::string slice_at(std::string_view path) {
    return stored(kTestedSlices, "default", slice(), path);
  }
  std::string subsets() { return stored(kTestedEndpoints, "default", "s", "subsets"); }
};

TEST_CASE("endpoint slices: follow the pods of a service", "[controllers]") {
  ServiceFixture cluster("endpointslice-controller");
  cluster.create_service();
  const std::string slice = cluster.slice();
  CHECK(slice.starts_with("s-"));
  CHECK(cluster.slice_at("endpoints") == "null");
  CHECK(cluster.slice_at("ports") == "null");
  CHECK(cluster.slice_at("metadata.labels") ==
        R"({"endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io",)"
        R"("kubernetes.io/service-name":"s"})");
  cluster.put_pod("p", "10.0.0.1", true);
  CHECK(cluster.slice() == slice);
  CHECK(cluster.slice_at("endpoints") ==
        R"([{"addresses":["10.0.0.1"],"conditions":{"ready":true,"serving":true,)"
        R"("terminating":false},"targetRef":{"kind":"Pod","namespace":"default","name":"p",)"
        R"("uid":"up"},"nodeName":"n","zone":"z"}])");
  CHECK(cluster.slice_at("ports") == R"([{"name":"","protocol":"TCP","port":8080}])");
  CHECK(cluster.slice_at("metadata.annotations") ==
        R"({"endpoints.kubernetes.io/last-change-trigger-time":"1970-01-01T00:00:09Z"})");
  cluster.put_pod("p", "10.0.0.1", true, R"("deletionTimestamp":"1970-01-01T00:01:00Z",)");
  CHECK(cluster.slice_at("endpoints.0.conditions") ==
        R"({"ready":false,"serving":true,"terminating":true})");
  cluster.remove(kServedPods, "default", "p");
  cluster.run();
  CHECK(cluster.slice() == slice);
  CHECK(cluster.slice_at("endpoints") == "null");
}

TEST_CASE("endpoint slices: a headless service, and one that publishes early", "[controllers]") {
  ServiceFixture cluster("endpointslice-controller");
  cluster.create_service(R"("clusterIP":"None","publishNotReadyAddresses":true,)");
  cluster.put_pod("p", "10.0.0.1", false);
  CHECK(cluster.slice_at("endpoints.0.conditions") ==
        R"({"ready":true,"serving":false,"terminating":false})");
  CHECK(cluster.slice_at("metadata.labels") ==
        R"({"endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io",)"
        R"("kubernetes.io/service-name":"s","service.kubernetes.io/headless":""})");
}

TEST_CASE("endpoint slices: more than a hundred endpoints need several", "[controllers]") {
  ServiceFixture cluster("endpointslice-controller");
  cluster.create_service();
  for (int i = 0; i < 101; ++i) {
    const std::string number = std::to_string(i);
    cluster.put_pod("p" + number, "10.0.0." + number, true);
  }
  const std::string names = cluster.slice();
  CHECK(std::count(names.begin(), names.end(), ' ') == 1);
}

// A service whose endpoints are for zones: z1 has a quarter of the CPUs, z2 the rest.
class ZonesFixture : public LoopFixture {
 public:
  ZonesFixture() : LoopFixture("endpointslice-controller") {
    put_node("a", "z1", "1");
    put_node("b", "z2", "3");
    put(kTestedServices, "default", service("Auto"));
  }
  static std::string service(std::string_view mode) {
    return R"({"metadata":{"name":"s","namespace":"default","uid":"us","annotations":{)"
           R"("service.kubernetes.io/topology-mode":")" +
           std::string(mode) +
           R"("}},"spec":{"clusterIP":"10.96.0.9","ipFamilies":["IPv4"],"selector":{"a":"b"},)"
           R"("ports":[{"name":"h","port":80,"protocol":"TCP","targetPort":8080}]}})";
  }
  void put_node(std::string_view name, std::string_view zone, std::string_view cpu) {
    put(kServedNodes, "",
        R"({"metadata":{"name":")" + std::string(name) +
            R"(","labels":{"topology.kubernetes.io/zone":")" + std::string(zone) +
            R"("}},"status":{"allocatable":{"cpu":")" + std::string(cpu) +
            R"("},"conditions":[{"type":"Ready","status":"True"}]}})");
  }
  // Makes pods on the nodes: "aab" are two on a and one on b.
  void put_pods(std::string_view nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string number = std::to_string(i);
      put(kServedPods, "default",
          R"({"metadata":{"name":"p)" + number + R"(","namespace":"default","uid":"u)" + number +
              R"(","labels":{"a":"b"}},"spec":{"nodeName":")" + nodes[i] +
              R"(","containers":[]},"status":{"podIP":"10.0.0.)" + number +
              R"(","podIPs":[{"ip":"10.0.0.)" + number +
              R"("}],"conditions":[{"type":"Ready","status":"True"}]}})");
    }
    run();
  }
  // Returns the zone of each endpoint, and that which it is for: "z1>z1 z1>z2".
  std::string zones() {
    std::string text;
    for (int i = 0;; ++i) {
      const std::string endpoint = "endpoints." + std::to_string(i);
      const auto at = [&](const std::string& path) {
        return stored(kTestedSlices, "default", names(kTestedSlices, "default"), endpoint + path);
      };
      if (!at(".addresses").starts_with("[")) return text;
      text += (text.empty() ? "" : " ") + at(".zone") + ">" + at(".hints.forZones.0.name");
      std::erase(text, '"');
    }
  }
  // Returns the reasons and messages of all events, in the order of the texts.
  std::vector<std::string> told() {
    std::vector<std::string> texts;
    json::Arena arena;
    registry.each_object({"", "v1", "events"}, arena, [&](const json::Value& event) {
      CHECK(event.find("count")->as_int() == 1);  // the loop's own writes call for no look
      texts.push_back(std::string(event.string_at("reason")) + ": " +
                      std::string(event.string_at("message")));
    });
    std::sort(texts.begin(), texts.end());
    return texts;
  }
};

TEST_CASE("endpoint slices: zones get endpoints as they have CPUs", "[controllers]") {
  using Texts = std::vector<std::string>;
  ZonesFixture cluster;
  const std::string few =
      "TopologyAwareHintsDisabled: Insufficient number of endpoints (0 endpoints, 2 zones), "
      "addressType: IPv4";
  const std::string enabled =
      "TopologyAwareHintsEnabled: Topology Aware Hints has been enabled, addressType: IPv4";
  cluster.run();
  CHECK(cluster.told() == Texts{few});
  cluster.put_pods("aaabbb");
  CHECK(cluster.zones() == "z1>z2 z1>z1 z1>z1 z2>z2 z2>z2 z2>z2");
  CHECK(cluster.told() == Texts{few, enabled});
  SECTION("what is right stays as it is") {
    const std::string slice = cluster.names(kTestedSlices, "default");
    const auto version = [&] {
      return cluster.stored(kTestedSlices, "default", slice, "metadata.resourceVersion");
    };
    const std::string before = version();
    cluster.put_node("c", "z2", "0.1");
    cluster.run();
    CHECK(version() == before);
  }
  SECTION("a zone that is overloaded") {
    cluster.put_node("d", "z1", "9");
    cluster.run();
    CHECK(cluster.zones() == "z1>z1 z1>z1 z1>z1 z2>z1 z2>z2 z2>z2");
  }
  SECTION("a node without a zone") {
    cluster.put_node("d", "", "1");
    cluster.run();
    CHECK(cluster.zones() == "z1> z1> z1> z2> z2> z2>");
    CHECK(cluster.told() == Texts{"TopologyAwareHintsDisabled: Insufficient Node information: "
                                  "allocatable CPU or zone not specified on one or more nodes, "
                                  "addressType: IPv4",
                                  few, enabled});
  }
  SECTION("no longer wanted") {
    cluster.put(kTestedServices, "default", ZonesFixture::service("Disabled"));
    cluster.run();
    CHECK(cluster.zones() == "z1> z1> z1> z2> z2> z2>");
    CHECK(cluster.told() == Texts{few,
                                  "TopologyAwareHintsDisabled: Topology Aware Hints has been "
                                  "disabled, addressType: IPv4",
                                  enabled});
  }
}

TEST_CASE("endpoints: ready and other addresses of a service", "[controllers]") {
  ServiceFixture cluster("endpoints-controller");
  cluster.create_service();
  CHECK(cluster.subsets() == "");
  CHECK(cluster.stored(kTestedEndpoints, "default", "s", "metadata.labels") ==
        R"({"endpoints.kubernetes.io/managed-by":"endpoint-controller"})");
  cluster.put_pod("p", "10.0.0.9", true);
  cluster.put_pod("q", "10.0.0.10", false);
  CHECK(
      cluster.subsets() ==
      R"([{"addresses":[{"ip":"10.0.0.9","nodeName":"n","targetRef":{"kind":"Pod",)"
      R"("namespace":"default","name":"p","uid":"up"}}],"notReadyAddresses":[{"ip":"10.0.0.10",)"
      R"("nodeName":"n","targetRef":{"kind":"Pod","namespace":"default","name":"q","uid":"uq"}}],)"
      R"("ports":[{"port":8080,"protocol":"TCP"}]}])");
  cluster.put_pod("p", "10.0.0.9", true, R"("deletionTimestamp":"1970-01-01T00:01:00Z",)");
  cluster.remove(kServedPods, "default", "q");
  cluster.run();
  CHECK(cluster.subsets() == "");
  REQUIRE(cluster.erase(kTestedServices, "default", "s") == "");
  cluster.run();
  CHECK(cluster.names(kTestedEndpoints, "default") == "");
}

// As a kube-controller-manager 1.36.1 wrote them, with its uids, addresses and nodes.
TEST_CASE("endpoints: subsets are in the order of their hashes", "[controllers]") {
  LoopFixture cluster("endpoints-controller");
  cluster.put(kTestedServices, "own-endpoints",
              R"({"metadata":{"name":"named"},"spec":{"clusterIP":"10.96.0.9",)"
              R"("ipFamilies":["IPv4"],"selector":{"app":"web"},"ports":[)"
              R"({"name":"http","port":80,"protocol":"TCP","targetPort":"http"},)"
              R"({"name":"m","port":9,"protocol":"UDP","targetPort":9000}]}})");
  const auto put_pod = [&](std::string_view name, std::string_view uid, std::string_view ip,
                           std::string_view node, std::string_view port, std::string_view ready) {
    std::string text = R"({"metadata":{"name":"NAME","namespace":"own-endpoints","uid":"UID",)"
                       R"("labels":{"app":"web"}},"spec":{"nodeName":"NODE","containers":[)"
                       R"({"name":"c","ports":[{"name":"http","containerPort":PORT,)"
                       R"("protocol":"TCP"}]}]},"status":{"podIP":"IP","podIPs":[{"ip":"IP"}],)"
                       R"("conditions":[{"type":"Ready","status":"READY"}]}})";
    for (const auto& [word, value] : {std::pair{"NAME", name},
                                      {"UID", uid},
                                      {"NODE", node},
                                      {"PORT", port},
                                      {"READY", ready}}) {
      text.replace(text.find(word), std::string_view(word).size(), value);
    }
    for (int i = 0; i < 2; ++i) text.replace(text.find("\"IP\"") + 1, 2, ip);
    cluster.put(kServedPods, "own-endpoints", text);
  };
  const auto ports = [&] {
    std::string all;
    for (const std::string_view i : {"0", "1", "2"}) {
      all += cluster.stored(kTestedEndpoints, "own-endpoints", "named",
                            "subsets." + std::string(i) + ".ports.0.port") +
             " ";
    }
    return all;
  };
  put_pod("a", "65c969a5-1807-4b61-9529-54b1d5a234be", "10.244.0.10", "node-3", "8080", "True");
  put_pod("b", "bad8a0de-91c9-46fa-bec1-17813e776305", "10.244.0.11", "node-1", "8081", "False");
  cluster.run();
  CHECK(ports() == "9000 8081 8080 ");
  put_pod("g", "44c17407-69bd-46f9-be97-3cb082b9fe14", "10.244.0.12", "node-2", "8080", "True");
  cluster.run();
  CHECK(ports() == "8081 9000 8080 ");
}

TEST_CASE("endpoints: the ports of a subset are in the order of their hashes", "[controllers]") {
  ServiceFixture cluster("endpoints-controller");
  REQUIRE(cluster.create(kTestedServices, "default",
                         R"({"metadata":{"name":"s"},"spec":{"selector":{"a":"b"},"ports":[)"
                         R"({"name":"http","port":80,"targetPort":8081},)"
                         R"({"name":"m","port":9090}]}})") == "");
  cluster.put_pod("p", "10.0.0.9", true);
  CHECK(cluster.stored(kTestedEndpoints, "default", "s", "subsets.0.ports") ==
        R"([{"name":"m","port":9090,"protocol":"TCP"},)"
        R"({"name":"http","port":8081,"protocol":"TCP"}])");
}

TEST_CASE("endpoints: those that users write are mirrored to slices", "[controllers]") {
  ServiceFixture cluster("endpointslice-mirroring-controller");
  REQUIRE(cluster.create(kTestedServices, "default",
                         R"({"metadata":{"name":"s"},"spec":{"ports":[{"port":80}]}})") == "");
  REQUIRE(cluster.create(kTestedEndpoints, "default",
                         R"({"metadata":{"name":"s","annotations":{"x":"y"}},"subsets":[)"
                         R"({"addresses":[{"ip":"10.1.1.1"}],"ports":[{"port":80}]}]})") == "");
  cluster.run();
  CHECK(cluster.slice_at("endpoints") ==
        R"([{"addresses":["10.1.1.1"],"conditions":{"ready":true}}])");
  CHECK(cluster.slice_at("metadata.annotations") == R"({"x":"y"})");
  CHECK(cluster.slice_at("metadata.ownerReferences.0.kind") == R"("Endpoints")");
  CHECK(cluster.slice_at("metadata.generateName") == R"("s-")");
  const auto write = [&](std::string_view address, std::string_view port) {
    REQUIRE(cluster.update(kTestedEndpoints, "default",
                           R"({"metadata":{"name":"s"},"subsets":[{"addresses":[{"ip":")" +
                               std::string(address) + R"("}],"ports":[{"port":)" +
                               std::string(port) + "}]}]}") == "");
    cluster.run();
  };
  // A slice with other ports takes the place of one that would be deleted; with the same ports it
  // is written anew, by its name.
  write("10.1.1.1", "81");
  CHECK(cluster.slice_at("metadata.generateName") == R"("s-")");
  write("10.1.1.2", "81");
  CHECK(cluster.slice_at("metadata.generateName") == "");
  REQUIRE(cluster.erase(kTestedEndpoints, "default", "s") == "");
  cluster.run();
  CHECK(cluster.slice() == "");
}

TEST_CASE("load balancers: services get addresses of their own", "[controllers]") {
  LoopFixture cluster("service-lb-controller");
  const auto create = [&](const std::string& name, std::string_view more) {
    REQUIRE(cluster.create(kTestedServices, "default",
                           R"({"metadata":{"name":")" + name + R"("},"spec":{)" +
                               std::string(more) + R"("ports":[{"port":80}]}})") == "");
    cluster.run();
  };
  create("a", R"("type":"LoadBalancer",)");
  create("b", R"("type":"LoadBalancer",)");
  create("c", R"("type":"LoadBalancer","loadBalancerIP":"192.0.2.77",)");
  create("d", R"("type":"LoadBalancer","loadBalancerClass":"example.com/x",)");
  const auto ingress = [&](std::string_view name) {
    return cluster.stored(kTestedServices, "default", name, "status.loadBalancer.ingress");
  };
  CHECK(ingress("a") == R"([{"ip":"192.0.2.1","ipMode":"VIP"}])");
  CHECK(ingress("b") == R"([{"ip":"192.0.2.2","ipMode":"VIP"}])");
  CHECK(ingress("c") == R"([{"ip":"192.0.2.77","ipMode":"VIP"}])");
  CHECK(ingress("d") == "");
}

}  // namespace
}  // namespace tabernetes::controllers
