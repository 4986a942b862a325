#include <string>

#include "../loop_fixture.h"
#include "base/time/rfc3339.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kAttachedPods{"", "v1", "pods"};
constexpr LoopFixture::Resource kAttachedClaims{"", "v1", "persistentvolumeclaims"};
constexpr LoopFixture::Resource kAttachedVolumes{"", "v1", "persistentvolumes"};
constexpr LoopFixture::Resource kAttachingNodes{"", "v1", "nodes"};
constexpr LoopFixture::Resource kAttachEvents{"", "v1", "events"};
constexpr LoopFixture::Resource kAttachments{"storage.k8s.io", "v1", "volumeattachments"};
constexpr LoopFixture::Resource kAttachDrivers{"storage.k8s.io", "v1", "csidrivers"};

// Has the nodes n1 and n2, and the claim c with the volume v of the driver example.com.
class AttachFixture : public LoopFixture {
 public:
  AttachFixture() : LoopFixture("persistentvolume-attach-detach-controller") {
    now = *parse_rfc3339("2026-01-01T00:00:00Z");
    store.advance(now);
    for (const std::string_view node : {"n1", "n2"}) put_node(node);
    put(kAttachedVolumes, "",
        R"({"metadata":{"name":"v"},"spec":{"accessModes":["ReadWriteOnce"],)"
        R"("claimRef":{"namespace":"default","name":"c","uid":"c1"},)"
        R"("csi":{"driver":"example.com","volumeHandle":"h"}}})");
    put(kAttachedClaims, "default",
        R"({"metadata":{"name":"c","uid":"c1"},"spec":{"volumeName":"v"},)"
        R"("status":{"phase":"Bound"}})");
  }
  void put_node(std::string_view name, std::string_view status = "") {
    put(kAttachingNodes, "",
        R"({"metadata":{"name":")" + std::string(name) +
            R"(","annotations":{"volumes.kubernetes.io/controller-managed-attach-detach":"true"}},)"
            R"("status":{"conditions":[{"type":"Ready","status":"True"}])" +
            std::string(status) + "}}");
  }
  void put_pod(std::string_view name, std::string_view node, std::string_view phase = "Pending") {
    put(kAttachedPods, "default",
        R"({"metadata":{"name":")" + std::string(name) + R"("},"spec":{"nodeName":")" +
            std::string(node) +
            R"(","containers":[],"volumes":[{"name":"d","persistentVolumeClaim":)"
            R"({"claimName":"c"}}]},"status":{"phase":")" +
            std::string(phase) + R"("}})");
    run();
  }
  // Does what a driver's attacher does.
  void set_status(std::string_view status) {
    const std::string name = names(kAttachments, "");
    put(kAttachments, "",
        R"({"metadata":{"name":")" + name + R"("},"spec":)" +
            stored(kAttachments, "", name, "spec") + R"(,"status":{)" + std::string(status) + "}}");
    run();
  }
  std::string attachment_at(std::string_view path) {
    return stored(kAttachments, "", names(kAttachments, ""), path);
  }
  std::string attached_to(std::string_view node) {
    return stored(kAttachingNodes, "", node, "status.volumesAttached");
  }
  std::vector<std::string> events() {
    std::vector<std::string> texts;
    registry.each_object(kAttachEvents, arena, [&](const json::Value& event) {
      texts.push_back(std::string(event.at({"involvedObject", "name"})->as_string()) + " " +
                      std::string(event.string_at("reason")) + ": " +
                      std::string(event.string_at("message")));
    });
    return texts;
  }
};

TEST_CASE("attach: a pod's volume is attached to its node, and detached after it",
          "[controllers]") {
  AttachFixture cluster;
  cluster.put_pod("p", "n1");
  // The SHA-256 of "hexample.comn1".
  CHECK(cluster.names(kAttachments, "") ==
        "csi-90a21650cea0708c0a9a42089ec20a438a9aaeb6ede96bc10b4c0052db66cae5");
  CHECK(cluster.attachment_at("spec") ==
        R"({"attacher":"example.com","source":{"persistentVolumeName":"v"},"nodeName":"n1"})");
  CHECK(cluster.attached_to("n1") == "");
  cluster.set_status(R"("attached":true)");
  CHECK(cluster.attached_to("n1") ==
        R"([{"name":"kubernetes.io/csi/example.com^h","devicePath":""}])");
  CHECK(cluster.events() ==
        std::vector<std::string>{
            "p SuccessfulAttachVolume: AttachVolume.Attach succeeded for volume \"v\" "});
  cluster.put_pod("p", "n1", "Succeeded");
  CHECK(cluster.names(kAttachments, "") == "");
  CHECK(cluster.attached_to("n1") == "");
  CHECK(cluster.run() <= 1);
}

TEST_CASE("attach: a volume that is mounted stays, but not for ever on a node that is not ready",
          "[controllers]") {
  AttachFixture cluster;
  cluster.put_pod("p", "n1");
  cluster.set_status(R"("attached":true)");
  const std::string mounted =
      R"(,"volumesInUse":["kubernetes.io/csi/example.com^h"],"volumesAttached":)" +
      cluster.attached_to("n1");
  cluster.put_node("n1", mounted);
  cluster.remove(kAttachedPods, "default", "p");
  cluster.run();
  CHECK(cluster.names(kAttachments, "") != "");
  cluster.put(kAttachingNodes, "",
              R"({"metadata":{"name":"n1","annotations":)"
              R"({"volumes.kubernetes.io/controller-managed-attach-detach":"true"}},)"
              R"("status":{"conditions":[{"type":"Ready","status":"Unknown"}])" +
                  mounted + "}}");
  cluster.run(Duration::from_seconds(300));
  CHECK(cluster.names(kAttachments, "") != "");
  cluster.run(Duration::from_seconds(61));
  CHECK(cluster.names(kAttachments, "") == "");
}

TEST_CASE("attach: what cannot be attached is told", "[controllers]") {
  AttachFixture cluster;
  cluster.put_pod("p", "n1");
  cluster.run(Duration::from_seconds(120));
  CHECK(cluster.events() ==
        std::vector<std::string>{
            "p FailedAttachVolume: AttachVolume.Attach failed for volume \"v\" : timed out waiting "
            "for external-attacher of example.com CSI driver to attach volume h"});
  AttachFixture failing;
  failing.put_pod("p", "n1");
  failing.set_status(R"("attached":false,"attachError":{"message":"no disk"})");
  CHECK(failing.events() ==
        std::vector<std::string>{
            "p FailedAttachVolume: AttachVolume.Attach failed for volume \"v\" : no disk"});
}

TEST_CASE("attach: a volume of one node waits until it is detached from the other",
          "[controllers]") {
  AttachFixture cluster;
  cluster.put_pod("p", "n1");
  cluster.put_pod("q", "n2");
  CHECK(cluster.attachment_at("spec.nodeName") == R"("n1")");
  CHECK(cluster.events() ==
        std::vector<std::string>{"q FailedAttachVolume: Multi-Attach error for volume \"v\" "
                                 "Volume is already used by pod(s) p"});
  cluster.remove(kAttachedPods, "default", "p");
  cluster.run();
  cluster.run();
  CHECK(cluster.attachment_at("spec.nodeName") == R"("n2")");
}

TEST_CASE("attach: drivers that need no attachment get none", "[controllers]") {
  AttachFixture cluster;
  cluster.put(kAttachDrivers, "",
              R"({"metadata":{"name":"example.com"},"spec":{"attachRequired":false}})");
  cluster.put_pod("p", "n1");
  CHECK(cluster.names(kAttachments, "") == "");
}

}  // namespace
}  // namespace tabernetes::controllers
