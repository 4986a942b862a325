#include <string>

#include "plugin_fixture.h"

namespace tabernetes::admission {
namespace {

constexpr PluginFixture::Resource kClaims{"", "v1", "persistentvolumeclaims"};

std::string sized_claim(std::string_view size) {
  return R"({"metadata":{"name":"a"},"spec":{"accessModes":["ReadWriteOnce"],"volumeName":"v",)"
         R"("storageClassName":"s","volumeMode":"Filesystem","resources":{"requests":{"storage":")" +
         std::string(size) + R"("}}},"status":{"phase":"Bound"}})";
}

TEST_CASE("PersistentVolumeClaimResize: a bound claim grows if its class allows it",
          "[admission]") {
  PluginFixture cluster("PersistentVolumeClaimResize");
  cluster.put(kClaims, "default", sized_claim("1Gi"));
  CHECK(
      cluster.update(kClaims, "default", sized_claim("2Gi")) ==
      R"(persistentvolumeclaims "a" is forbidden: only dynamically provisioned pvc can be resized )"
      R"(and the storageclass that provisions the pvc must support resize)");
  cluster.put({"storage.k8s.io", "v1", "storageclasses"}, "",
              R"({"metadata":{"name":"s"},"provisioner":"p","allowVolumeExpansion":true})");
  CHECK(cluster.update(kClaims, "default", sized_claim("2Gi")) == "");
}

}  // namespace
}  // namespace tabernetes::admission
