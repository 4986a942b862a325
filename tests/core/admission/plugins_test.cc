// What single plugins change and refuse. Their order, and the rest, is in tests/conformance.
#include "admission/plugins.h"

#include "admission/plugin_state.h"
#include "cluster.h"
#include "json/access.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using enum registry::Operation;

// The member at `path` of what was stored, as JSON; else why nothing is.
std::string subresource_of(TestCluster& cluster, const std::string& stored, json::Path path) {
  if (!stored.starts_with("{")) return stored;
  const Value* part = cluster.read(stored).at(path);
  return part == nullptr ? "none" : json_text(*part);
}

TEST_CASE("DefaultTolerationSeconds: node failures are tolerated, once", "[admission]") {
  struct Case {
    std::string_view name, spec, tolerations;
  };
  static constexpr Case kCases[] = {
      {"none given", "",
       R"([{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}])"},
      {"one given", "'tolerations':[{'key':'node.kubernetes.io/not-ready','operator':'Exists'}]",
       R"([{"key":"node.kubernetes.io/not-ready","operator":"Exists"},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}])"},
      {"everything tolerated", "'tolerations':[{'operator':'Exists'}]",
       R"([{"operator":"Exists"}])"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) {
      TestCluster cluster;
      CHECK(subresource_of(cluster, cluster.create_pod("a", c.spec), {"spec", "tolerations"}) ==
            c.tolerations);
    }
  }
}

TEST_CASE("Priority: a pod gets what its class says", "[admission]") {
  TestCluster cluster;
  constexpr TestCluster::Resource kClasses{"scheduling.k8s.io", "v1", "priorityclasses"};
  CHECK(subresource_of(cluster, cluster.create_pod("a"), {"spec", "priority"}) == "0");
  REQUIRE(
      cluster
          .create(kClasses, "", "{'metadata':{'name':'high'},'value':7,'preemptionPolicy':'Never'}")
          .starts_with("{"));
  const std::string high = cluster.create_pod("b", "'priorityClassName':'high'");
  CHECK(subresource_of(cluster, high, {"spec", "priority"}) == "7");
  CHECK(subresource_of(cluster, high, {"spec", "preemptionPolicy"}) == "\"Never\"");
  CHECK(cluster.create_pod("c", "'priorityClassName':'none'") ==
        "pods \"c\" is forbidden: no PriorityClass with name none was found");
  CHECK(cluster.create_pod("c", "'priorityClassName':'high','priority':8") ==
        "pods \"c\" is forbidden: the integer value of priority (8) must not be provided in pod "
        "spec; priority admission controller computed 7 from the given PriorityClass name");

  REQUIRE(
      cluster.create(kClasses, "", "{'metadata':{'name':'usual'},'value':3,'globalDefault':true}")
          .starts_with("{"));
  CHECK(subresource_of(cluster, cluster.create_pod("d"), {"spec", "priorityClassName"}) ==
        "\"usual\"");

  // An update that says nothing of it keeps it.
  const auto forget = [](Value& pod) {
    pod.find("spec")->erase("priority");
    pod.find("spec")->erase("preemptionPolicy");
  };
  CHECK(subresource_of(cluster, cluster.update(TestCluster::kPods, "default", "b", forget),
                       {"spec", "priority"}) == "7");
}

TEST_CASE("default classes: one that is marked is taken, the newest first", "[admission]") {
  TestCluster cluster;
  constexpr TestCluster::Resource kClasses{"storage.k8s.io", "v1", "storageclasses"};
  const auto add = [&](std::string_view name, std::string_view mark) {
    cluster.now = cluster.now + Duration::from_seconds(1);
    REQUIRE(cluster
                .create(kClasses, "",
                        "{'metadata':{'name':'" + std::string(name) +
                            "','annotations':{'storageclass.kubernetes.io/is-default-class':'" +
                            std::string(mark) + "'}},'provisioner':'p'}")
                .starts_with("{"));
  };
  add("old", "true");
  add("new", "true");
  add("newest", "false");
  const auto claim = [&](std::string_view name, std::string_view spec) {
    return cluster.create({"", "v1", "persistentvolumeclaims"}, "default",
                          "{'metadata':{'name':'" + std::string(name) + "'},'spec':{" +
                              std::string(spec) +
                              "'accessModes':['ReadWriteOnce'],"
                              "'resources':{'requests':{'storage':'1Gi'}}}}");
  };
  const std::string plain = claim("a", "");
  CHECK(subresource_of(cluster, plain, {"spec", "storageClassName"}) == "\"new\"");
  CHECK(subresource_of(cluster, plain, {"metadata", "finalizers"}) ==
        R"(["kubernetes.io/pvc-protection"])");
  CHECK(subresource_of(cluster, claim("b", "'storageClassName':'',"),
                       {"spec", "storageClassName"}) == "\"\"");
}

TEST_CASE("TaintNodesByCondition: a new node is tainted unless it is ready", "[admission]") {
  TestCluster cluster;
  CHECK(subresource_of(cluster,
                       cluster.create(TestCluster::kNodes, "", "{'metadata':{'name':'a'}}"),
                       {"spec", "taints"}) ==
        R"([{"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"}])");
  CHECK(subresource_of(cluster,
                       cluster.create(TestCluster::kNodes, "",
                                      "{'metadata':{'name':'b'},'status':{'conditions':"
                                      "[{'type':'Ready','status':'True'}]}}"),
                       {"spec", "taints"}) == "none");
}

TEST_CASE("PodTopologyLabels: a pod on a node has its zone and region", "[admission]") {
  TestCluster cluster;
  constexpr TestCluster::Resource kWithZones{"", "v1", "nodes"};
  REQUIRE(cluster
              .create(kWithZones, "",
                      "{'metadata':{'name':'zoned','labels':{'topology.kubernetes.io/"
                      "zone':'z','topology.kubernetes.io/region':'r','disk':'fast'}}}")
              .starts_with("{"));
  CHECK(subresource_of(cluster, cluster.create_pod("a", "'nodeName':'zoned'"),
                       {"metadata", "labels"}) ==
        R"({"topology.kubernetes.io/region":"r","topology.kubernetes.io/zone":"z"})");
  CHECK(subresource_of(cluster, cluster.create_pod("b", "'nodeName':'other'"),
                       {"metadata", "labels"}) == "none");
  CHECK(subresource_of(cluster, cluster.create_pod("c"), {"metadata", "labels"}) == "none");
}

TEST_CASE("RuntimeClass: the class adds its overhead and must be there", "[admission]") {
  TestCluster cluster;
  REQUIRE(cluster
              .create({"node.k8s.io", "v1", "runtimeclasses"}, "",
                      "{'metadata':{'name':'r'},'handler':'h',"
                      "'overhead':{'podFixed':{'cpu':'1'}}}")
              .starts_with("{"));
  CHECK(subresource_of(cluster, cluster.create_pod("a", "'runtimeClassName':'r'"),
                       {"spec", "overhead"}) == R"({"cpu":"1"})");
  CHECK(cluster.create_pod("b", "'runtimeClassName':'none'") ==
        "pods \"b\" is forbidden: pod rejected: RuntimeClass \"none\" not found");
  CHECK(cluster.create_pod("b", "'runtimeClassName':'r','overhead':{'cpu':'2'}") ==
        "pods \"b\" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's "
        "defined Overhead");
  CHECK(cluster.create_pod("b", "'overhead':{'cpu':'2'}") ==
        "pods \"b\" is forbidden: pod rejected: Pod Overhead set without corresponding "
        "RuntimeClass defined Overhead");
}

TEST_CASE("NamespaceLifecycle: nothing comes into a namespace that is missing or goes",
          "[admission]") {
  TestCluster cluster;
  const auto put = [&](std::string_view ns, std::string_view name = "'name':'a'") {
    return cluster.create(TestCluster::kConfigMaps, ns, "{'metadata':{" + std::string(name) + "}}");
  };
  CHECK(put("none") == "namespaces \"none\" not found");
  REQUIRE(
      cluster.create(TestCluster::kNamespaces, "", "{'metadata':{'name':'n'}}").starts_with("{"));
  REQUIRE(cluster.remove(TestCluster::kNamespaces, "", "n") == "kept");
  constexpr std::string_view kGoes =
      "unable to create new content in namespace n because it is being terminated";
  CHECK(put("n") == "configmaps \"a\" is forbidden: " + std::string(kGoes));
  CHECK(put("n", "'generateName':'g-'") == "configmaps \"g-\" is forbidden: " + std::string(kGoes));
  CHECK(put("n", "") == "configmaps \"Unknown\" is forbidden: " + std::string(kGoes));

  // So it is for what a manifest brings, and for subresources that are created.
  cluster.origin = registry::Origin::kManifest;
  CHECK(put("none") == "namespaces \"none\" not found");
  cluster.origin = registry::Origin::kClient;
  registry::WriteContext context = cluster.context();
  context.subresource = "eviction";
  Value eviction = cluster.read("{'metadata':{'name':'p'}}");
  const auto evicted =
      cluster.objects.mutate({cluster.objects, context, kCreate, cluster.type(TestCluster::kPods),
                              registry::Subresource::kNone, "n", "p", eviction});
  REQUIRE_FALSE(evicted);
  CHECK(evicted.error().message == "pods \"p\" is forbidden: " + std::string(kGoes));
  REQUIRE(evicted.error().details->causes.size() == 1);
  CHECK(evicted.error().details->causes[0].reason == "NamespaceTerminating");
}

TEST_CASE("NamespaceLifecycle: some namespaces stay, once they are there", "[admission]") {
  TestCluster cluster;
  CHECK(cluster.remove(TestCluster::kNamespaces, "", "default") ==
        "namespaces \"default\" is forbidden: this namespace may not be deleted");
  CHECK(cluster.remove(TestCluster::kNamespaces, "", "kube-public") ==
        "namespaces \"kube-public\" not found");
  PluginSet without;
  without.set("NamespaceLifecycle", false);
  TestCluster other(all_plugins(), without);
  CHECK(other.remove(TestCluster::kNamespaces, "", "default") == "kept");
}

}  // namespace
}  // namespace tabernetes::admission
