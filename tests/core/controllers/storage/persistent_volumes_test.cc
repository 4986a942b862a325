#include <string>

#include "../loop_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kTestedVolumes{"", "v1", "persistentvolumes"};
constexpr LoopFixture::Resource kTestedClaims{"", "v1", "persistentvolumeclaims"};
constexpr LoopFixture::Resource kTestedClasses{"storage.k8s.io", "v1", "storageclasses"};
constexpr LoopFixture::Resource kPodsWithClaims{"", "v1", "pods"};
constexpr LoopFixture::Resource kVolumeEvents{"", "v1", "events"};

class VolumeFixture : public LoopFixture {
 public:
  explicit VolumeFixture(std::string_view loop = "persistentvolume-binder-controller")
      : LoopFixture(loop) {}

  void create_volume(std::string_view name, std::string_view size, std::string_view more = "",
                     std::string_view path = "/x") {
    REQUIRE(create(kTestedVolumes, "",
                   R"({"metadata":{"name":")" + std::string(name) +
                       R"("},"spec":{"accessModes":["ReadWriteOnce"],"capacity":{"storage":")" +
                       std::string(size) + R"("},)" + std::string(more) +
                       R"("hostPath":{"path":")" + std::string(path) + R"("}}})") == "");
    run();
  }
  void create_claim(std::string_view name, std::string_view size, std::string_view more = "") {
    REQUIRE(create(kTestedClaims, "default",
                   R"({"metadata":{"name":")" + std::string(name) +
                       R"("},"spec":{"accessModes":["ReadWriteOnce"],)" + std::string(more) +
                       R"("resources":{"requests":{"storage":")" + std::string(size) +
                       R"("}}}})") == "");
    run();
  }
  std::string claim_at(std::string_view name, std::string_view path) {
    return stored(kTestedClaims, "default", name, path);
  }
  std::string volume_at(std::string_view name, std::string_view path) {
    return stored(kTestedVolumes, "", name, path);
  }
  std::vector<std::string> events() {
    std::vector<std::string> texts;
    registry.each_object(kVolumeEvents, arena, [&](const json::Value& event) {
      const std::int64_t count = number_at(event, {"count"});
      texts.push_back(std::string(event.string_at("reason")) + ": " +
                      std::string(event.string_at("message")) +
                      (count == 1 ? "" : " x" + std::to_string(count)));
    });
    return texts;
  }
};

TEST_CASE("volumes: a claim gets the smallest volume that suffices", "[controllers]") {
  VolumeFixture cluster;
  cluster.create_volume("big", "10Gi");
  cluster.create_volume("small", "2Gi");
  CHECK(cluster.volume_at("small", "status.phase") == R"("Available")");
  cluster.create_claim("c", "1Gi");
  CHECK(cluster.claim_at("c", "spec.volumeName") == R"("small")");
  CHECK(cluster.claim_at("c", "status") ==
        R"({"phase":"Bound","accessModes":["ReadWriteOnce"],"capacity":{"storage":"2Gi"}})");
  CHECK(
      cluster.claim_at("c", "metadata.annotations") ==
      R"({"pv.kubernetes.io/bind-completed":"yes","pv.kubernetes.io/bound-by-controller":"yes"})");
  CHECK(cluster.volume_at("small", "status.phase") == R"("Bound")");
  CHECK(cluster.volume_at("small", "metadata.annotations") ==
        R"({"pv.kubernetes.io/bound-by-controller":"yes"})");
  cluster.remove(kTestedClaims, "default", "c");
  cluster.run();
  CHECK(cluster.volume_at("small", "status.phase") == R"("Released")");
}

TEST_CASE("volumes: claims that wait say why", "[controllers]") {
  struct Case {
    std::string_view more, event;
  };
  const Case cases[] = {
      {"",
       "FailedBinding: no persistent volumes available for this claim and no storage class is set"},
      {R"("storageClassName":"none",)",
       "ProvisioningFailed: storageclass.storage.k8s.io \"none\" not found"},
      {R"("storageClassName":"late",)",
       "WaitForFirstConsumer: waiting for first consumer to be created before binding"},
      {R"("storageClassName":"foreign",)",
       "ExternalProvisioning: Waiting for a volume to be created either by the external "
       "provisioner 'example.com/x' or manually by the system administrator. If volume creation is "
       "delayed, please verify that the provisioner is running and correctly registered."},
  };
  for (const Case& c : cases) {
    INFO(c.more);
    VolumeFixture cluster;
    REQUIRE(cluster.create(kTestedClasses, "",
                           R"({"metadata":{"name":"late"},"provisioner":"tabernetes.dev/hostless",)"
                           R"("volumeBindingMode":"WaitForFirstConsumer"})") == "");
    REQUIRE(cluster.create(kTestedClasses, "",
                           R"({"metadata":{"name":"foreign"},"provisioner":"example.com/x"})") ==
            "");
    cluster.create_claim("c", "1Gi", c.more);
    CHECK(cluster.claim_at("c", "status") == R"({"phase":"Pending"})");
    CHECK(cluster.events() == std::vector<std::string>{std::string(c.event)});
  }
}

TEST_CASE("volumes: the provisioner makes them, and deletes them", "[controllers]") {
  VolumeFixture cluster;
  REQUIRE(cluster.create(kTestedClasses, "",
                         R"({"metadata":{"name":"s"},"provisioner":"tabernetes.dev/hostless"})") ==
          "");
  cluster.create_claim("c", "1Gi", R"("storageClassName":"s",)");
  cluster.run();
  const std::string volume = cluster.names(kTestedVolumes, "");
  CHECK(volume.starts_with("pvc-"));
  CHECK(cluster.claim_at("c", "status") ==
        R"({"phase":"Bound","accessModes":["ReadWriteOnce"],"capacity":{"storage":"1Gi"}})");
  CHECK(cluster.volume_at(volume, "spec.persistentVolumeReclaimPolicy") == R"("Delete")");
  cluster.remove(kTestedClaims, "default", "c");
  cluster.run();
  CHECK(cluster.names(kTestedVolumes, "") == "");
}

TEST_CASE("volumes: a volume that nobody can delete has failed", "[controllers]") {
  VolumeFixture cluster;
  cluster.create_volume("v", "1Gi", R"("persistentVolumeReclaimPolicy":"Delete",)");
  cluster.create_claim("c", "1Gi");
  cluster.remove(kTestedClaims, "default", "c");
  cluster.run();
  CHECK(cluster.volume_at("v", "status.phase") == R"("Failed")");
  CHECK(cluster.volume_at("v", "status.message") ==
        R"("host_path deleter only supports /tmp/.+ but received provided /x")");
  REQUIRE(cluster.create(kTestedVolumes, "",
                         R"({"metadata":{"name":"n"},"spec":{"accessModes":["ReadWriteOnce"],)"
                         R"("capacity":{"storage":"2Gi"},"persistentVolumeReclaimPolicy":"Delete",)"
                         R"("nfs":{"server":"s","path":"/x"}}})") == "");
  cluster.run();
  cluster.create_claim("e", "2Gi");
  cluster.remove(kTestedClaims, "default", "e");
  cluster.run();
  CHECK(
      cluster.volume_at("n", "status.message") ==
      R"("error getting deleter volume plugin for volume \"n\": no deletable volume plugin matched")");
  cluster.create_volume("t", "1Gi", R"("persistentVolumeReclaimPolicy":"Delete",)", "/tmp/t");
  cluster.create_claim("d", "1Gi");
  cluster.remove(kTestedClaims, "default", "d");
  cluster.run();
  CHECK(cluster.names(kTestedVolumes, "") == "n v");
}

TEST_CASE("volumes: a claim whose volume is gone is lost", "[controllers]") {
  VolumeFixture cluster;
  cluster.create_volume("v", "1Gi");
  cluster.create_claim("c", "1Gi");
  cluster.remove(kTestedVolumes, "", "v");
  cluster.run();
  CHECK(cluster.claim_at("c", "status") == R"({"phase":"Lost"})");
  CHECK(cluster.events() ==
        std::vector<std::string>{
            "ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!"});
}

TEST_CASE("protection: a claim stays while a pod has it", "[controllers]") {
  VolumeFixture cluster("persistentvolumeclaim-protection-controller");
  cluster.put(kPodsWithClaims, "default",
              R"({"metadata":{"name":"p"},"spec":{"nodeName":"n","containers":[],"volumes":[)"
              R"({"name":"v","persistentVolumeClaim":{"claimName":"c"}}]}})");
  cluster.create_claim("c", "1Gi");
  CHECK(cluster.claim_at("c", "metadata.finalizers") == R"(["kubernetes.io/pvc-protection"])");
  REQUIRE(cluster.erase(kTestedClaims, "default", "c") == "");
  cluster.run();
  CHECK(cluster.exists(kTestedClaims, "default", "c"));
  cluster.remove(kPodsWithClaims, "default", "p");
  cluster.run();
  CHECK_FALSE(cluster.exists(kTestedClaims, "default", "c"));
}

TEST_CASE("ephemeral volumes: a pod gets its claim", "[controllers]") {
  VolumeFixture cluster("ephemeral-volume-controller");
  cluster.put(kPodsWithClaims, "default",
              R"({"metadata":{"name":"p","uid":"up"},"spec":{"containers":[],"volumes":[)"
              R"({"name":"v","ephemeral":{"volumeClaimTemplate":{"metadata":{"labels":{"a":"b"}},)"
              R"("spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":)"
              R"({"storage":"1Gi"}}}}}}]}})");
  cluster.run();
  CHECK(cluster.names(kTestedClaims, "default") == "p-v");
  CHECK(cluster.claim_at("p-v", "metadata.labels") == R"({"a":"b"})");
  CHECK(cluster.claim_at("p-v", "metadata.ownerReferences") ==
        R"([{"apiVersion":"v1","kind":"Pod","name":"p","uid":"up","controller":true,)"
        R"("blockOwnerDeletion":true}])");
}

}  // namespace
}  // namespace tabernetes::controllers
