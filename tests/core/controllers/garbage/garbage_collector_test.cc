#include <string>

#include "../loop_fixture.h"

namespace tabernetes::controllers {
namespace {

using registry::Propagation;

constexpr LoopFixture::Resource kMaps{"", "v1", "configmaps"};
constexpr LoopFixture::Resource kSecrets{"", "v1", "secrets"};
constexpr LoopFixture::Resource kGcEvents{"", "v1", "events"};

// Returns a reference to a ConfigMap whose uid is its name with a `u` before it.
std::string owned_by(const std::string& name, bool blocking = false) {
  return R"({"apiVersion":"v1","kind":"ConfigMap","name":")" + name + R"(","uid":"u)" + name +
         R"(")" + (blocking ? R"(,"blockOwnerDeletion":true})" : "}");
}

class CollectorFixture : public LoopFixture {
 public:
  CollectorFixture() : LoopFixture("garbage-collector-controller") {}

  // `owners` and `finalizers` are JSON without brackets.
  void put_map(const std::string& name, const std::string& owners = "",
               const std::string& finalizers = "", std::string_view ns = "default") {
    std::string text = R"({"metadata":{"name":")" + name + R"(","uid":"u)" + name + '"';
    if (!owners.empty()) text += R"(,"ownerReferences":[)" + owners + "]";
    if (!finalizers.empty()) text += R"(,"finalizers":[)" + finalizers + "]";
    put(kMaps, ns, text + "}}");
  }
  std::string maps() const { return names(kMaps, "default"); }
  std::string owners_of(std::string_view name) {
    return stored(kMaps, "default", name, "metadata.ownerReferences");
  }
};

TEST_CASE("garbage collector: dependents go with their last owner, and theirs with them",
          "[controllers]") {
  CollectorFixture cluster;
  cluster.put_map("a");
  cluster.put_map("b");
  cluster.put_map("child", owned_by("a"));
  cluster.put_map("grandchild", owned_by("child"));
  cluster.put_map("shared", owned_by("a") + "," + owned_by("b"));
  cluster.put_map("single");
  CHECK(cluster.run() == 0);
  CHECK(cluster.erase(kMaps, "default", "a", Propagation::kBackground) == "");
  CHECK(cluster.maps() == "b child grandchild shared single");
  CHECK(cluster.run() > 0);
  CHECK(cluster.maps() == "b shared single");
  CHECK(cluster.owners_of("shared") == "[" + owned_by("b") + "]");
  CHECK(cluster.run() == 0);
  CHECK(cluster.erase(kMaps, "default", "b") == "");
  cluster.run();
  CHECK(cluster.maps() == "single");
}

TEST_CASE("garbage collector: orphans lose the reference and stay", "[controllers]") {
  CollectorFixture cluster;
  cluster.put_map("a");
  cluster.put_map("b");
  cluster.put_map("child", owned_by("a", true));
  cluster.put_map("shared", owned_by("a") + "," + owned_by("b"));
  CHECK(cluster.erase(kMaps, "default", "a", Propagation::kOrphan) == "");
  CHECK(cluster.stored(kMaps, "default", "a", "metadata.finalizers") == R"(["orphan"])");
  cluster.run();
  CHECK(cluster.maps() == "a b child shared");  // others take note of the orphans meanwhile
  cluster.run();
  CHECK(cluster.maps() == "b child shared");
  CHECK(cluster.owners_of("child") == "");
  CHECK(cluster.owners_of("shared") == "[" + owned_by("b") + "]");
}

TEST_CASE("garbage collector: in the foreground an owner waits for those that block it",
          "[controllers]") {
  CollectorFixture cluster;
  cluster.put_map("a");
  cluster.put_map("blocking", owned_by("a", true), R"("x/y")");
  cluster.put_map("loose", owned_by("a"));
  CHECK(cluster.erase(kMaps, "default", "a", Propagation::kForeground) == "");
  cluster.run();
  CHECK(cluster.maps() == "a blocking");
  CHECK(cluster.stored(kMaps, "default", "a", "metadata.finalizers") ==
        R"(["foregroundDeletion"])");
  CHECK(cluster.stored(kMaps, "default", "blocking", "metadata.deletionTimestamp") != "");
  cluster.remove(kMaps, "default", "blocking");
  cluster.run();
  CHECK(cluster.maps() == "");
}

TEST_CASE("garbage collector: an owner waits no more for who stops blocking it", "[controllers]") {
  CollectorFixture cluster;
  cluster.put_map("a");
  cluster.put_map("child", owned_by("a", true), R"("x/y")");
  CHECK(cluster.erase(kMaps, "default", "a", Propagation::kForeground) == "");
  cluster.run();
  CHECK(cluster.maps() == "a child");
  CHECK(cluster.update(kMaps, "default",
                       R"({"metadata":{"name":"child","finalizers":["x/y"],"ownerReferences":[)" +
                           owned_by("a") + "]}}") == "");
  cluster.run();
  CHECK(cluster.maps() == "child");
}

TEST_CASE("garbage collector: foreground deletion goes down to grandchildren first",
          "[controllers]") {
  CollectorFixture cluster;
  cluster.put_map("a");
  cluster.put_map("child", owned_by("a", true));
  cluster.put_map("grandchild", owned_by("child", true), R"("x/y")");
  CHECK(cluster.erase(kMaps, "default", "a", Propagation::kForeground) == "");
  cluster.run();
  CHECK(cluster.maps() == "a child grandchild");
  CHECK(cluster.stored(kMaps, "default", "child", "metadata.finalizers") ==
        R"(["foregroundDeletion"])");
  cluster.remove(kMaps, "default", "grandchild");
  cluster.run();
  CHECK(cluster.maps() == "");
}

TEST_CASE("garbage collector: owners that wait for each other do not wait forever",
          "[controllers]") {
  CollectorFixture cluster;
  cluster.put_map("a", owned_by("b", true));
  cluster.put_map("b", owned_by("a", true));
  cluster.run();
  CHECK(cluster.maps() == "a b");
  CHECK(cluster.erase(kMaps, "default", "a", Propagation::kForeground) == "");
  cluster.run();
  CHECK(cluster.maps() == "");
}

TEST_CASE("garbage collector: what happens to an object whose owner is absent", "[controllers]") {
  struct Case {
    std::string_view owner;
    bool stays;
  };
  const Case cases[] = {
      {R"({"apiVersion":"v1","kind":"ConfigMap","name":"a","uid":"ua"})", true},
      {R"({"apiVersion":"v1","kind":"ConfigMap","name":"a","uid":"other"})", false},
      {R"({"apiVersion":"v1","kind":"ConfigMap","name":"none","uid":"ua"})", false},
      {R"({"apiVersion":"v1","kind":"Secret","name":"a","uid":"ua"})", false},
      {R"({"apiVersion":"v1","kind":"Namespace","name":"none","uid":"x"})", false},
      // Nobody knows whether it exists.
      {R"({"apiVersion":"v1","kind":"Unknown","name":"a","uid":"ua"})", true},
      {R"({"apiVersion":"example.com/v1","kind":"ConfigMap","name":"a","uid":"ua"})", true},
  };
  for (const Case& c : cases) {
    INFO(c.owner);
    CollectorFixture cluster;
    cluster.put_map("a");
    cluster.put_map("child", std::string(c.owner));
    cluster.run();
    CHECK(cluster.maps() == (c.stays ? "a child" : "a"));
    CHECK(cluster.names(kGcEvents, "default") == "");
  }
}

TEST_CASE("garbage collector: a cluster-scoped object has no namespaced owner", "[controllers]") {
  CollectorFixture cluster;
  const std::string text =
      R"({"metadata":{"name":"n","uid":"un","ownerReferences":[)" + owned_by("none") + "]}}";
  cluster.put({"", "v1", "nodes"}, "", text);
  cluster.run();
  CHECK(cluster.exists({"", "v1", "nodes"}, "", "n"));
}

TEST_CASE("garbage collector: an owner in another namespace is none, and that is told",
          "[controllers]") {
  CollectorFixture cluster;
  cluster.put({"", "v1", "namespaces"}, "", R"({"metadata":{"name":"other"}})");
  cluster.put_map("a", "", "", "other");
  // It may be looked at after its deletion.
  cluster.put_map("child", owned_by("a"), R"("x/y")");
  cluster.run();
  CHECK(cluster.stored(kMaps, "default", "child", "metadata.deletionTimestamp") != "");
  const std::string event = cluster.names(kGcEvents, "default");
  CHECK(cluster.stored(kGcEvents, "default", event, "reason") == R"("OwnerRefInvalidNamespace")");
  CHECK(cluster.stored(kGcEvents, "default", event, "type") == R"("Warning")");
  CHECK(cluster.stored(kGcEvents, "default", event, "source.component") ==
        R"("garbage-collector-controller")");
  CHECK(cluster.stored(kGcEvents, "default", event, "involvedObject.name") == R"("child")");
  CHECK(cluster.stored(kGcEvents, "default", event, "message") ==
        R"("ownerRef [v1/ConfigMap, namespace: default, name: a, uid: ua] does not exist in )"
        R"(namespace \"default\"")");
}

TEST_CASE("garbage collector: a dependent is deleted as its finalizers say", "[controllers]") {
  CollectorFixture cluster;
  cluster.put_map("a");
  cluster.put_map("child", owned_by("a"), R"("orphan")");
  cluster.put_map("grandchild", owned_by("child"));
  CHECK(cluster.erase(kMaps, "default", "a") == "");
  cluster.run();
  cluster.run();
  CHECK(cluster.maps() == "grandchild");
  CHECK(cluster.owners_of("grandchild") == "");
}

TEST_CASE("garbage collector: an object with the name of a deleted one is another one",
          "[controllers]") {
  CollectorFixture cluster;
  cluster.put_map("a");
  cluster.put_map("child", owned_by("a"));
  cluster.remove(kMaps, "default", "a");
  cluster.remove(kMaps, "default", "child");
  cluster.put(kMaps, "default", R"({"metadata":{"name":"child","uid":"new"}})");
  cluster.run();
  CHECK(cluster.maps() == "child");
}

TEST_CASE("garbage collector: a reference that is added or taken away counts", "[controllers]") {
  CollectorFixture cluster;
  cluster.put_map("a");
  cluster.put_map("later");
  cluster.put_map("freed", owned_by("a"));
  cluster.run();
  cluster.put_map("later", owned_by("a"));
  cluster.put_map("freed");
  cluster.run();
  CHECK(cluster.erase(kMaps, "default", "a") == "");
  cluster.run();
  CHECK(cluster.maps() == "freed");
  cluster.put_map("freed", owned_by("a"));
  cluster.run();
  CHECK(cluster.maps() == "");
}

TEST_CASE("garbage collector: events have no owners and are none", "[controllers]") {
  CollectorFixture cluster;
  cluster.put(
      kGcEvents, "default",
      R"({"metadata":{"name":"e","uid":"ue","ownerReferences":[)" + owned_by("none") + "]}}");
  cluster.run();
  CHECK(cluster.names(kGcEvents, "default") == "e");
}

TEST_CASE("garbage collector: owners of other kinds and other namespaces are told apart",
          "[controllers]") {
  CollectorFixture cluster;
  cluster.put({"", "v1", "namespaces"}, "", R"({"metadata":{"name":"other","uid":"uo"}})");
  const std::string by_namespace =
      R"({"apiVersion":"v1","kind":"Namespace","name":"other","uid":"uo"})";
  cluster.put_map("child", by_namespace);
  cluster.put(
      kSecrets, "other",
      R"({"metadata":{"name":"child","uid":"us","ownerReferences":[)" + by_namespace + "]}}");
  cluster.run();
  CHECK(cluster.maps() == "child");
  cluster.remove({"", "v1", "namespaces"}, "", "other");
  cluster.run();
  CHECK(cluster.maps() == "");
  CHECK(cluster.names(kSecrets, "other") == "");
}

}  // namespace
}  // namespace tabernetes::controllers
