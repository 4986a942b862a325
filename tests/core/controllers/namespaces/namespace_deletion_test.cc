#include <string>

#include "../loop_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kNamespaces{"", "v1", "namespaces"};
constexpr LoopFixture::Resource kHeldMaps{"", "v1", "configmaps"};
constexpr LoopFixture::Resource kHeldPods{"", "v1", "pods"};

// A cluster with the namespace `a`.
class DeletionFixture : public LoopFixture {
 public:
  DeletionFixture() : LoopFixture("namespace-controller") {
    REQUIRE(create(kNamespaces, "", R"({"metadata":{"name":"a"}})") == "");
    run();
  }
  bool there() const { return exists(kNamespaces, "", "a"); }
  // Returns a condition as STATUS REASON: MESSAGE.
  std::string condition(std::string_view type) {
    const json::Value object = registry.find_object(kNamespaces, {}, "a", arena);
    for (const json::Value& one : items_at(object, {"status", "conditions"})) {
      if (one.string_at("type") != type) continue;
      return std::string(one.string_at("status")) + " " + std::string(one.string_at("reason")) +
             ": " + std::string(one.string_at("message"));
    }
    return {};
  }
  double seconds_to_next() const { return next() ? (*next() - now).seconds() : -1; }
};

constexpr std::string_view kNoFailure =
    "False ContentDeleted: All content successfully deleted, may be waiting on finalization";
constexpr std::string_view kNothingLeft = "False ContentRemoved: All content successfully removed";
constexpr std::string_view kNoFinalizers =
    "False ContentHasNoFinalizers: All content-preserving finalizers finished";

TEST_CASE("namespace deletion: an empty namespace goes, others stay", "[controllers]") {
  DeletionFixture cluster;
  CHECK(cluster.run() == 0);
  CHECK(cluster.erase(kNamespaces, "", "a") == "");
  CHECK(cluster.stored(kNamespaces, "", "a", "status.phase") == R"("Terminating")");
  cluster.run();
  CHECK_FALSE(cluster.there());
  CHECK(cluster.exists(kNamespaces, "", "default"));
}

TEST_CASE("namespace deletion: everything in it goes, and nothing elsewhere", "[controllers]") {
  DeletionFixture cluster;
  cluster.put(kHeldMaps, "a", R"({"metadata":{"name":"x"}})");
  cluster.put(kHeldPods, "a", R"({"metadata":{"name":"x"},"spec":{"containers":[]}})");
  cluster.put({"apps", "v1", "deployments"}, "a", R"({"metadata":{"name":"x"},"spec":{}})");
  cluster.put(kHeldMaps, "default", R"({"metadata":{"name":"x"}})");
  CHECK(cluster.erase(kNamespaces, "", "a") == "");
  cluster.run();
  CHECK_FALSE(cluster.there());
  CHECK(cluster.names(kHeldMaps, "a") == "");
  CHECK(cluster.names(kHeldPods, "a") == "");
  CHECK(cluster.names({"apps", "v1", "deployments"}, "a") == "");
  CHECK(cluster.names(kHeldMaps, "default") == "x");
}

TEST_CASE("namespace deletion: conditions tell what finalizers hold", "[controllers]") {
  DeletionFixture cluster;
  cluster.put(kHeldMaps, "a", R"({"metadata":{"name":"x","finalizers":["h/1"]}})");
  cluster.put(kHeldMaps, "a", R"({"metadata":{"name":"y","finalizers":["h/1","h/2"]}})");
  cluster.put({"apps", "v1", "deployments"}, "a",
              R"({"metadata":{"name":"x","finalizers":["h/2"]},"spec":{}})");
  CHECK(cluster.erase(kNamespaces, "", "a") == "");
  cluster.run();
  CHECK(cluster.condition("NamespaceDeletionDiscoveryFailure") ==
        "False ResourcesDiscovered: All resources successfully discovered");
  CHECK(cluster.condition("NamespaceDeletionGroupVersionParsingFailure") ==
        "False ParsedGroupVersions: All legacy kube types successfully parsed");
  CHECK(cluster.condition("NamespaceDeletionContentFailure") == kNoFailure);
  CHECK(cluster.condition("NamespaceContentRemaining") ==
        "True SomeResourcesRemain: Some resources are remaining: configmaps. has 2 resource "
        "instances, deployments.apps has 1 resource instances");
  CHECK(cluster.condition("NamespaceFinalizersRemaining") ==
        "True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: h/1 in "
        "2 resource instances, h/2 in 2 resource instances");

  // It looks again after its own write. Then only another write can help, and it looks at
  // upstream's times, every 8 seconds.
  CHECK(cluster.run(Duration::from_seconds(6)) == 1);
  CHECK_FALSE(cluster.next());
  const std::string before = cluster.stored(kNamespaces, "", "a", "status.conditions");
  cluster.put({"apps", "v1", "deployments"}, "a",
              R"({"metadata":{"name":"x","deletionTimestamp":"1970-01-01T00:00:02Z"},"spec":{}})");
  cluster.remove(kHeldMaps, "a", "x");
  CHECK(cluster.run(Duration::from_seconds(6)) == 0);
  CHECK(cluster.stored(kNamespaces, "", "a", "status.conditions") == before);
  CHECK(cluster.run(Duration::from_seconds(2)) > 0);
  CHECK(cluster.condition("NamespaceContentRemaining") ==
        "True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource "
        "instances");
  CHECK(cluster.condition("NamespaceFinalizersRemaining") ==
        "True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: h/1 in "
        "1 resource instances, h/2 in 1 resource instances");
  cluster.remove(kHeldMaps, "a", "y");
  cluster.run(Duration::from_seconds(8));
  CHECK_FALSE(cluster.there());
}

TEST_CASE("namespace deletion: pods go first, others wait for their grace period",
          "[controllers]") {
  DeletionFixture cluster;
  const auto put_pod = [&](std::string_view name, std::string_view more) {
    cluster.put(kHeldPods, "a",
                R"({"metadata":{"name":")" + std::string(name) +
                    R"("},"spec":{"nodeName":"n","containers":[],)" + std::string(more) + "}");
  };
  put_pod("short", R"("terminationGracePeriodSeconds":10})");
  put_pod("long", R"("terminationGracePeriodSeconds":30})");
  put_pod("done", R"("terminationGracePeriodSeconds":99},"status":{"phase":"Succeeded"})");
  cluster.put(kHeldMaps, "a", R"({"metadata":{"name":"x"}})");
  CHECK(cluster.erase(kNamespaces, "", "a") == "");
  cluster.run();
  CHECK(cluster.names(kHeldMaps, "a") == "x");
  CHECK(cluster.names(kHeldPods, "a") == "long short");
  CHECK(cluster.stored(kHeldPods, "a", "long", "metadata.deletionGracePeriodSeconds") == "30");
  // These are not told while pods remain.
  CHECK(cluster.condition("NamespaceDeletionContentFailure") == kNoFailure);
  CHECK(cluster.condition("NamespaceContentRemaining") == kNothingLeft);
  CHECK(cluster.condition("NamespaceFinalizersRemaining") == kNoFinalizers);
  // Since the conditions were written; without that it would be after half of the grace period.
  CHECK(static_cast<int>(cluster.seconds_to_next()) == 5);
  cluster.run(Duration::from_milliseconds(5100));
  CHECK(static_cast<int>(cluster.seconds_to_next()) == 16);

  // After the longest period their rest is unexpected.
  cluster.run(Duration::from_seconds(40));
  CHECK(cluster.condition("NamespaceDeletionContentFailure") ==
        "True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: unexpected "
        "items still remain in namespace: a for gvr: /v1, Resource=pods");
  cluster.remove(kHeldPods, "a", "short");
  cluster.remove(kHeldPods, "a", "long");
  cluster.run(Duration::from_seconds(60));
  CHECK_FALSE(cluster.there());
  CHECK(cluster.names(kHeldMaps, "a") == "");
}

TEST_CASE("namespace deletion: a condition keeps its time until it changes", "[controllers]") {
  DeletionFixture cluster;
  cluster.put(kHeldMaps, "a", R"({"metadata":{"name":"x","finalizers":["h/1"]}})");
  cluster.put(kHeldMaps, "a", R"({"metadata":{"name":"y","finalizers":["h/1"]}})");
  CHECK(cluster.erase(kNamespaces, "", "a") == "");
  cluster.run();
  CHECK(cluster.stored(kNamespaces, "", "a", "status.conditions.3.lastTransitionTime") ==
        cluster.stored(kNamespaces, "", "a", "status.conditions.0.lastTransitionTime"));
  const std::string conditions = cluster.stored(kNamespaces, "", "a", "status.conditions");
  const std::string_view time = R"("lastTransitionTime":"1970-01-01T00:00:03Z")";
  std::size_t times = 0;
  for (std::size_t at = 0; (at = conditions.find(time, at)) != std::string::npos; ++at) ++times;
  CHECK(times == 5);
  // The message changes, the status does not.
  cluster.remove(kHeldMaps, "a", "x");
  cluster.run(Duration::from_seconds(8));
  const std::string later = cluster.stored(kNamespaces, "", "a", "status.conditions");
  CHECK(later != conditions);
  times = 0;
  for (std::size_t at = 0; (at = later.find(time, at)) != std::string::npos; ++at) ++times;
  CHECK(times == 5);
}

TEST_CASE("namespace deletion: a finalizer of somebody else holds the namespace alone",
          "[controllers]") {
  DeletionFixture cluster;
  cluster.put(kNamespaces, "",
              R"({"metadata":{"name":"a"},"spec":{"finalizers":["kubernetes","h/1"]},)"
              R"("status":{"phase":"Active"}})");
  cluster.put(kHeldMaps, "a", R"({"metadata":{"name":"x"}})");
  CHECK(cluster.erase(kNamespaces, "", "a") == "");
  cluster.run();
  CHECK(cluster.names(kHeldMaps, "a") == "");
  CHECK(cluster.stored(kNamespaces, "", "a", "spec.finalizers") == R"(["h/1"])");
  CHECK(cluster.run() == 0);
}

}  // namespace
}  // namespace tabernetes::controllers
