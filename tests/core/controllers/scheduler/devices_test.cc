#include "scheduler_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kDeviceClaimsMade{"resource.k8s.io", "v1", "resourceclaims"};
constexpr LoopFixture::Resource kDeviceClassesMade{"resource.k8s.io", "v1", "deviceclasses"};
constexpr LoopFixture::Resource kDeviceSlicesMade{"resource.k8s.io", "v1", "resourceslices"};

// The nodes `a` and `b`. Node `a` has two devices of 10 GiB, `b` one of 40 GiB.
class DevicesFixture : public SchedulerFixture {
 public:
  DevicesFixture() {
    put_node("a");
    put_node("b");
    put(kDeviceClassesMade, "",
        R"({"metadata":{"name":"gpu"},"spec":{"selectors":[{"cel":{"expression":)"
        R"("device.driver == 'gpu.example.com'"}}]}})");
    put_slice("a", device("a0", "10Gi", "one") + "," + device("a1", "10Gi", "two"));
    put_slice("b", device("b0", "40Gi", "one"));
  }
  static std::string device(std::string_view name, std::string_view memory, std::string_view group,
                            std::string_view more = {}) {
    return R"({"name":")" + std::string(name) + R"(","attributes":{"group":{"string":")" +
           std::string(group) + R"("},"index":{"int":)" + std::string(1, name[1]) +
           R"(}},"capacity":{"memory":{"value":")" + std::string(memory) + R"("}})" +
           std::string(more) + "}";
  }
  void put_slice(std::string_view node, const std::string& devices, std::string_view count = "1") {
    put(kDeviceSlicesMade, "",
        R"({"metadata":{"name":"slice-)" + std::string(node) + R"("},"spec":{"driver":)" +
            R"("gpu.example.com","nodeName":")" + std::string(node) + R"(","pool":{"name":")" +
            std::string(node) + R"(","generation":1,"resourceSliceCount":)" + std::string(count) +
            R"(},"devices":[)" + devices + "]}}");
  }
  // Creates a claim; `request` has more members of the request `r`, `more` of the devices.
  void add_claim(std::string_view name, std::string_view request = "", std::string_view more = "") {
    add_claim_of(name,
                 R"({"name":"r","exactly":{"deviceClassName":"gpu")" + std::string(request) + "}}",
                 more);
  }
  void add_claim_of(std::string_view name, std::string_view requests, std::string_view more = "") {
    REQUIRE(create(kDeviceClaimsMade, "default",
                   R"({"metadata":{"name":")" + std::string(name) +
                       R"("},"spec":{"devices":{"requests":[)" + std::string(requests) + "]" +
                       std::string(more) + "}}}") == "");
  }
  void add_user(std::string_view pod, std::string_view claim) {
    add_pod(pod, R"("resourceClaims":[{"name":"c","resourceClaimName":")" + std::string(claim) +
                     R"("}])");
  }
  std::string allocation(std::string_view claim, std::string_view path = "devices.results") {
    return stored(kDeviceClaimsMade, "default", claim, "status.allocation." + std::string(path));
  }
};

std::string selector(std::string_view expression) {
  return R"(,"selectors":[{"cel":{"expression":")" + std::string(expression) + R"("}}])";
}

std::string given(std::string_view device, std::string_view request = "r") {
  return R"({"request":")" + std::string(request) + R"(","driver":"gpu.example.com","pool":")" +
         std::string(1, device[0]) + R"(","device":")" + std::string(device) + R"("})";
}

constexpr std::string_view kNoneGiven =
    "(0/2 nodes are available: 2 cannot allocate all claims. still not schedulable, preemption: "
    "0/2 nodes are available: 2 Preemption is not helpful for scheduling.)";

TEST_CASE("devices: a claim gets a device where its pod goes", "[scheduler]") {
  DevicesFixture cluster;
  cluster.add_claim("one",
                    selector("device.capacity['gpu.example.com'].memory.compareTo(quantity('20Gi'))"
                             " >= 0"));
  cluster.add_user("p", "one");
  cluster.run();
  CHECK(cluster.place("p") == "b");
  CHECK(cluster.allocation("one") == "[" + given("b0") + "]");
  CHECK(cluster.allocation("one", "nodeSelector") ==
        R"({"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In",)"
        R"("values":["b"]}]}]})");
  CHECK(cluster.allocation("one", "allocationTimestamp") != "");
  CHECK(cluster.stored(kDeviceClaimsMade, "default", "one", "metadata.finalizers") ==
        R"(["resource.kubernetes.io/delete-protection"])");
  CHECK(cluster.stored(kDeviceClaimsMade, "default", "one", "status.reservedFor.0.name") ==
        R"("p")");
}

TEST_CASE("devices: each goes to one claim, and pods wait until one is free", "[scheduler]") {
  DevicesFixture cluster;
  for (const char* name : {"1", "2", "3", "4"}) {
    cluster.add_claim(name);
    cluster.add_user(std::string("p") + name, name);
    cluster.run();
  }
  CHECK(cluster.place("p3").size() == 1);
  CHECK(cluster.place("p4") == kNoneGiven);
  cluster.remove(SchedulerFixture::kPods, "default", "p1");
  cluster.remove(kDeviceClaimsMade, "default", "1");
  cluster.run(Duration::from_seconds(60));
  cluster.put_slice(
      "b", cluster.device("b0", "40Gi", "one") + "," + cluster.device("b1", "40Gi", "one"));
  cluster.run(Duration::from_seconds(60));
  CHECK(cluster.place("p4").size() == 1);
}

TEST_CASE("devices: several of one claim are of the same group", "[scheduler]") {
  DevicesFixture cluster;
  constexpr std::string_view kGroup =
      R"(,"constraints":[{"requests":["r"],"matchAttribute":"gpu.example.com/group"}])";
  cluster.add_claim("pair", R"(,"allocationMode":"ExactCount","count":2)", kGroup);
  cluster.add_user("p", "pair");
  cluster.run();
  CHECK(cluster.place("p") == kNoneGiven);
  cluster.put_slice("b", cluster.device("b0", "40Gi", "x") + "," +
                             cluster.device("b1", "40Gi", "one") + "," +
                             cluster.device("b2", "40Gi", "one"));
  cluster.run(Duration::from_seconds(20));
  CHECK(cluster.place("p") == "b");
  CHECK(cluster.allocation("pair") == "[" + given("b1") + "," + given("b2") + "]");
}

TEST_CASE("devices: all of a node, and access for administration", "[scheduler]") {
  DevicesFixture cluster;
  cluster.add_claim("all", R"(,"allocationMode":"All")" + selector("device.driver.startsWith('gpu')"
                                                                   " && device.attributes["
                                                                   "'gpu.example.com'].index < 5"));
  REQUIRE(cluster.create(SchedulerFixture::kPods, "default",
                         SchedulerFixture::pod("p",
                                               R"("nodeSelector":{"kubernetes.io/hostname":"a"},)"
                                               R"("resourceClaims":[{"name":"c",)"
                                               R"("resourceClaimName":"all"}])",
                                               "", "")) == "");
  cluster.run();
  CHECK(cluster.allocation("all") == "[" + given("a0") + "," + given("a1") + "]");
}

TEST_CASE("devices: the first alternative that is there", "[scheduler]") {
  DevicesFixture cluster;
  cluster.add_claim_of("best",
                       R"({"name":"r","firstAvailable":[{"name":"big","deviceClassName":"gpu")" +
                           selector("device.attributes['other.example.com'].?x.orValue(0) == 1") +
                           R"(},{"name":"small","deviceClassName":"gpu")" +
                           selector("device.attributes['gpu.example.com'].group == 'two'") + "}]}");
  cluster.add_user("p", "best");
  cluster.run();
  CHECK(cluster.place("p") == "a");
  CHECK(cluster.allocation("best") == "[" + given("a1", "r/small") + "]");
}

TEST_CASE("devices: tainted ones are not given without a toleration", "[scheduler]") {
  DevicesFixture cluster;
  constexpr std::string_view kTaint =
      R"(,"taints":[{"key":"broken","value":"yes","effect":"NoSchedule"}])";
  cluster.put_slice("a", cluster.device("a0", "10Gi", "one", kTaint));
  cluster.put_slice("b", cluster.device("b0", "40Gi", "one", kTaint));
  cluster.add_claim("one");
  cluster.add_user("p", "one");
  cluster.run();
  CHECK(cluster.place("p") == kNoneGiven);
  cluster.add_claim(
      "tolerant", R"(,"tolerations":[{"key":"broken","operator":"Exists","effect":"NoSchedule"}])");
  cluster.add_user("q", "tolerant");
  cluster.run();
  CHECK(cluster.place("q").size() == 1);
}

TEST_CASE("devices: claims and classes that are missing", "[scheduler]") {
  DevicesFixture cluster;
  cluster.add_user("waiting", "late");
  cluster.run();
  // A pod without its claims is not tried.
  CHECK(cluster.place("waiting") == "()");
  CHECK(cluster.events().empty());
  cluster.add_claim("late");
  cluster.run();
  CHECK(cluster.place("waiting").size() == 1);

  cluster.add_claim_of("odd", R"({"name":"r","exactly":{"deviceClassName":"none"}})");
  cluster.add_user("q", "odd");
  cluster.run();
  CHECK(cluster.place("q") ==
        "(0/2 nodes are available: request r: device class none does not exist. no new claims to "
        "deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for "
        "scheduling.)");
}

TEST_CASE("devices: a faulty expression ends the attempt", "[scheduler]") {
  DevicesFixture cluster;
  cluster.add_claim("bad", selector("device.attributes['gpu.example.com'].none == 1"));
  cluster.add_user("p", "bad");
  cluster.run();
  CHECK(cluster.place("p") ==
        "(running \"DynamicResources\" filter plugin: claim default/bad: selector #0: CEL runtime "
        "error: no such key: none)");
}

TEST_CASE("devices: a claim stays where its devices are, and moves if nobody else uses it",
          "[scheduler]") {
  DevicesFixture cluster;
  cluster.add_claim("one", selector("device.attributes['gpu.example.com'].group == 'two'"));
  cluster.add_user("p", "one");
  cluster.run();
  CHECK(cluster.place("p") == "a");
  REQUIRE(cluster.create(SchedulerFixture::kPods, "default",
                         SchedulerFixture::pod("q",
                                               R"("nodeSelector":{"kubernetes.io/hostname":"b"},)"
                                               R"("resourceClaims":[{"name":"c",)"
                                               R"("resourceClaimName":"one"}])",
                                               "", "")) == "");
  cluster.run();
  CHECK(cluster.place("q") ==
        "(0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 "
        "resourceclaim not available on the node. still not schedulable, preemption: 0/2 nodes "
        "are available: 2 Preemption is not helpful for scheduling.)");
}

}  // namespace
}  // namespace tabernetes::controllers
