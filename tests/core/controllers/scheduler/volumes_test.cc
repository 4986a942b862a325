#include "scheduler_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr std::string_view kWithClaim =
    R"("volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"data"}}])";

class SchedulerVolumes : public SchedulerFixture {
 public:
  static constexpr Resource kClaims{"", "v1", "persistentvolumeclaims"};
  static constexpr Resource kVolumes{"", "v1", "persistentvolumes"};

  SchedulerVolumes() {
    put_node("a", R"("zone":"y")");
    put_node("b", R"("zone":"z")");
    put({"storage.k8s.io", "v1", "storageclasses"}, "",
        R"({"metadata":{"name":"late"},"provisioner":"example.com/p","volumeBindingMode":"WaitForFirstConsumer"})");
    put({"storage.k8s.io", "v1", "storageclasses"}, "",
        R"({"metadata":{"name":"static"},"provisioner":"kubernetes.io/no-provisioner","volumeBindingMode":"WaitForFirstConsumer"})");
  }
  // `more` are members of the metadata and of the spec.
  void put_claim(std::string_view metadata, std::string_view spec) {
    put(kClaims, "default",
        R"({"metadata":{"name":"data","uid":"c")" + std::string(metadata) +
            R"(},"spec":{"volumeMode":"Filesystem","accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}})" +
            std::string(spec) + "}}");
  }
  void put_volume(std::string_view name, std::string_view size, std::string_view zone) {
    put(kVolumes, "",
        R"({"metadata":{"name":")" + std::string(name) + R"("},"spec":{"capacity":{"storage":")" +
            std::string(size) +
            R"("},"hostPath":{"path":"/d","type":""},"volumeMode":"Filesystem","persistentVolumeReclaimPolicy":"Retain","accessModes":["ReadWriteOnce"],"storageClassName":"static","nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":[")" +
            std::string(zone) + R"("]}]}]}}},"status":{"phase":"Available"}})");
  }
};

}  // namespace

TEST_CASE_METHOD(SchedulerVolumes, "scheduler: claims that are not there or not bound",
                 "[controllers]") {
  add_pod("web", kWithClaim);
  run();
  CHECK(place("web") ==
        "(0/2 nodes are available: persistentvolumeclaim \"data\" not found. not found)");
  put_claim("", R"(,"storageClassName":"none")");
  run();
  CHECK(place("web") ==
        "(0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found)");
  put_volume("pv", "1Gi", "z");
  put_claim(R"(,"annotations":{"pv.kubernetes.io/bind-completed":"yes"})", R"(,"volumeName":"pv")");
  run();
  CHECK(place("web") == "b");
}

TEST_CASE_METHOD(SchedulerVolumes, "scheduler: a volume that no node reaches", "[controllers]") {
  put_volume("pv", "1Gi", "x");
  put_claim(R"(,"annotations":{"pv.kubernetes.io/bind-completed":"yes"})", R"(,"volumeName":"pv")");
  add_pod("web", kWithClaim);
  run();
  CHECK(place("web") ==
        "(0/2 nodes are available: 2 node(s) didn't match PersistentVolume's node affinity." +
            not_helpful(2) + ")");
}

TEST_CASE_METHOD(SchedulerVolumes, "scheduler: takes the smallest volume that fits, then waits",
                 "[controllers]") {
  put_claim("", R"(,"storageClassName":"static")");
  add_pod("web", kWithClaim);
  run();
  CHECK(place("web") ==
        "(0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind." +
            not_helpful(2) + ")");
  put_volume("small", "500Mi", "y");
  put_volume("right", "1Gi", "z");
  put_volume("large", "2Gi", "z");
  run();
  CHECK(stored(kVolumes, "", "right", "spec.claimRef.name") == "\"data\"");
  CHECK(stored(kVolumes, "", "large", "spec.claimRef").empty());
  CHECK(stored(kPods, "default", "web", "status.nominatedNodeName") == "\"b\"");
  put_claim(R"(,"annotations":{"pv.kubernetes.io/bind-completed":"yes"})",
            R"(,"storageClassName":"static","volumeName":"right")");
  run(Duration::from_seconds(2));
  CHECK(place("web") == "b");
  CHECK(stored(kPods, "default", "web", "status.nominatedNodeName").empty());
}

TEST_CASE_METHOD(SchedulerVolumes, "scheduler: names the node to the provisioner",
                 "[controllers]") {
  put_node("a", R"("zone":"y")", R"("unschedulable":true)");
  put_claim("", R"(,"storageClassName":"late")");
  add_pod("web", kWithClaim);
  run();
  const json::Value claim = registry.find_object(kClaims, "default", "data", arena);
  CHECK(text_at(claim, {"metadata", "annotations", "volume.kubernetes.io/selected-node"}) == "b");
}

}  // namespace tabernetes::controllers
