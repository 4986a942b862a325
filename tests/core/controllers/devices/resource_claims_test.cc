#include <string>

#include "../loop_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kDevicePods{"", "v1", "pods"};
constexpr LoopFixture::Resource kDeviceEvents{"", "v1", "events"};
constexpr LoopFixture::Resource kDeviceClaims{"resource.k8s.io", "v1", "resourceclaims"};
constexpr LoopFixture::Resource kDeviceTemplates{"resource.k8s.io", "v1", "resourceclaimtemplates"};

constexpr std::string_view kDevices =
    R"("devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"gpu","allocationMode":"ExactCount","count":1}}]})";

class DeviceFixture : public LoopFixture {
 public:
  DeviceFixture() : LoopFixture("resourceclaim-controller") {}

  void create_template() {
    REQUIRE(create(kDeviceTemplates, "default",
                   R"({"metadata":{"name":"t"},"spec":{"metadata":{"labels":{"a":"b"}},"spec":{)" +
                       std::string(kDevices) + "}}}") == "");
  }
  // Stores a pod with a claim from the template; `more` is what else its status has.
  void put_pod(std::string_view status = "", std::string_view node = "") {
    put(kDevicePods, "default",
        R"({"metadata":{"name":"p","uid":"p1"},"spec":{"nodeName":")" + std::string(node) +
            R"(","containers":[],"resourceClaims":[)"
            R"({"name":"c","resourceClaimTemplateName":"t"}]},"status":{)" +
            std::string(status) + "}}");
  }
  // Stores a claim with that status.
  void put_claim(std::string_view status, std::string_view metadata = "") {
    put(kDeviceClaims, "default",
        R"({"metadata":{"name":"shared","uid":"s1")" + std::string(metadata) + R"(},"spec":{)" +
            std::string(kDevices) + R"(},"status":{)" + std::string(status) + "}}");
  }
  std::string claim_at(std::string_view name, std::string_view path) {
    return stored(kDeviceClaims, "default", name, path);
  }
};

TEST_CASE("resource claims: a pod gets one from its template", "[controllers]") {
  DeviceFixture cluster;
  cluster.create_template();
  cluster.put_pod();
  cluster.run();
  const std::string name = cluster.names(kDeviceClaims, "default");
  CHECK(name.starts_with("p-c-"));
  CHECK(cluster.stored(kDevicePods, "default", "p", "status.resourceClaimStatuses") ==
        R"([{"name":"c","resourceClaimName":")" + name + "\"}]");
  CHECK(cluster.claim_at(name, "metadata.labels") == R"({"a":"b"})");
  CHECK(cluster.claim_at(name, "metadata.annotations") ==
        R"({"resource.kubernetes.io/pod-claim-name":"c"})");
  CHECK(cluster.claim_at(name, "metadata.ownerReferences") ==
        R"([{"apiVersion":"v1","kind":"Pod","name":"p","uid":"p1","controller":true}])");
  // One that was deleted is made again.
  cluster.remove(kDeviceClaims, "default", name);
  cluster.run();
  const std::string again = cluster.names(kDeviceClaims, "default");
  CHECK(again.starts_with("p-c-"));
  CHECK(again != name);
}

TEST_CASE("resource claims: the template may come later, and its lack is told", "[controllers]") {
  DeviceFixture cluster;
  cluster.put_pod();
  cluster.run(Duration::from_milliseconds(1));
  CHECK(cluster.names(kDeviceClaims, "default") == "");
  std::string event;
  cluster.registry.each_object(kDeviceEvents, cluster.arena, [&](const json::Value& found) {
    event = std::string(found.string_at("reason")) + ": " + std::string(found.string_at("message"));
  });
  CHECK(event ==
        "FailedResourceClaimCreation: PodResourceClaim c: resource claim template \"t\": "
        "resourceclaimtemplate.resource.k8s.io \"t\" not found");
  cluster.create_template();
  cluster.run();
  CHECK(cluster.names(kDeviceClaims, "default").starts_with("p-c-"));
}

TEST_CASE("resource claims: devices are taken back from pods that are done", "[controllers]") {
  DeviceFixture cluster;
  cluster.put_claim(
      R"("allocation":{"devices":{}},"reservedFor":[{"resource":"pods","name":"p","uid":"p1"},)"
      R"({"resource":"pods","name":"gone","uid":"g1"}])",
      R"(,"finalizers":["resource.kubernetes.io/delete-protection"])");
  cluster.put_pod();
  cluster.run();
  CHECK(cluster.claim_at("shared", "status.reservedFor") ==
        R"([{"resource":"pods","name":"p","uid":"p1"}])");
  cluster.put_pod(R"("phase":"Succeeded","resourceClaimStatuses":[)"
                  R"({"name":"c","resourceClaimName":"shared"}])");
  cluster.run();
  CHECK(cluster.claim_at("shared", "status.reservedFor") == "");
  CHECK(cluster.claim_at("shared", "status.allocation") == "");
  CHECK(cluster.claim_at("shared", "metadata.finalizers") == "");
}

TEST_CASE("resource claims: one that was made for a pod goes when the pod is done",
          "[controllers]") {
  DeviceFixture cluster;
  cluster.create_template();
  cluster.put_pod();
  cluster.run();
  const std::string name = cluster.names(kDeviceClaims, "default");
  cluster.put_pod(R"("phase":"Failed","resourceClaimStatuses":[{"name":"c","resourceClaimName":")" +
                  name + "\"}]");
  cluster.run();
  CHECK(cluster.names(kDeviceClaims, "default") == "");
  CHECK(cluster.run() == 0);
}

TEST_CASE("resource claims: a pod that was bound by hand reserves its claims", "[controllers]") {
  DeviceFixture cluster;
  cluster.put_claim(R"("allocation":{"devices":{}})");
  cluster.put(kDevicePods, "default",
              R"({"metadata":{"name":"p","uid":"p1"},"spec":{"nodeName":"n","containers":[],)"
              R"("resourceClaims":[{"name":"c","resourceClaimName":"shared"}]}})");
  cluster.run();
  CHECK(cluster.claim_at("shared", "status.reservedFor") ==
        R"([{"resource":"pods","name":"p","uid":"p1"}])");
}

}  // namespace
}  // namespace tabernetes::controllers
