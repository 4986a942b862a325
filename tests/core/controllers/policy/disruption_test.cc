#include <string>

#include "../loop_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kBudgets{"policy", "v1", "poddisruptionbudgets"};
constexpr LoopFixture::Resource kCoveredPods{"", "v1", "pods"};
constexpr LoopFixture::Resource kBudgetEvents{"", "v1", "events"};

constexpr std::string_view kReady = R"({"conditions":[{"type":"Ready","status":"True"}]})";
constexpr std::string_view kUnready = R"({"conditions":[{"type":"Ready","status":"False"}]})";

std::string controlled_by(std::string_view api_version, std::string_view kind,
                          std::string_view name, std::string_view uid) {
  std::string text = R"([{"apiVersion":")";
  text.append(api_version).append(R"(","kind":")").append(kind).append(R"(","name":")");
  text.append(name).append(R"(","uid":")").append(uid).append(R"(","controller":true}])");
  return text;
}

// Pods have the label app=web, and the budget `b` selects them.
class BudgetFixture : public LoopFixture {
 public:
  BudgetFixture() : LoopFixture("disruption-controller") {}

  void put_pod(std::string_view name, std::string_view owners, std::string_view status = kReady) {
    std::string text = R"({"metadata":{"labels":{"app":"web"},"name":")" + std::string(name) + '"';
    if (!owners.empty()) text.append(R"(,"ownerReferences":)").append(owners);
    text += R"(},"spec":{"containers":[]},"status":)" + std::string(status) + "}";
    put(kCoveredPods, "default", text);
  }
  void put_scaled(const Resource& resource, std::string_view name, std::string_view uid,
                  int replicas, std::string_view owners = "[]") {
    put(resource, "default",
        R"({"metadata":{"name":")" + std::string(name) + R"(","uid":")" + std::string(uid) +
            R"(","ownerReferences":)" + std::string(owners) + R"(},"spec":{"replicas":)" +
            std::to_string(replicas) + "}}");
  }
  // `spec` is JSON without the selector.
  void create_budget(std::string_view spec) {
    REQUIRE(create(kBudgets, "default",
                   R"({"metadata":{"name":"b"},"spec":{"selector":{"matchLabels":{"app":"web"}},)" +
                       std::string(spec) + "}}") == "");
  }
  // Returns EXPECTED DESIRED HEALTHY ALLOWED REASON of the budget.
  std::string status() {
    const json::Value budget = registry.find_object(kBudgets, "default", "b", arena);
    std::string text;
    for (const std::string_view count :
         {"expectedPods", "desiredHealthy", "currentHealthy", "disruptionsAllowed"}) {
      text += std::to_string(number_at(budget, {"status", count})) + " ";
    }
    const json::Value& condition = items_at(budget, {"status", "conditions"})[0];
    return text.append(condition.string_at("reason"));
  }
  // Returns REASON: MESSAGE of each event, by name.
  std::vector<std::string> events() {
    std::vector<std::string> texts;
    registry.each_object(kBudgetEvents, arena, [&](const json::Value& event) {
      texts.push_back(std::string(event.string_at("reason")) + ": " +
                      std::string(event.string_at("message")));
    });
    return texts;
  }
};

constexpr LoopFixture::Resource kReplicaSets{"apps", "v1", "replicasets"};

TEST_CASE("disruption: what a budget asks for, of four pods of which three are ready",
          "[controllers]") {
  struct Case {
    std::string_view spec, status;
  };
  const Case cases[] = {
      {R"("minAvailable":2)", "4 2 3 1 SufficientPods"},
      {R"("minAvailable":3)", "4 3 3 0 InsufficientPods"},
      {R"("minAvailable":0)", "4 0 3 3 SufficientPods"},
      {R"("minAvailable":9)", "4 9 3 0 InsufficientPods"},
      // Percentages and maxUnavailable count the replicas that there should be: six.
      {R"("minAvailable":"50%")", "6 3 3 0 InsufficientPods"},
      {R"("minAvailable":"33%")", "6 2 3 1 SufficientPods"},
      {R"("minAvailable":"34%")", "6 3 3 0 InsufficientPods"},
      {R"("maxUnavailable":4)", "6 2 3 1 SufficientPods"},
      {R"("maxUnavailable":9)", "6 0 3 3 SufficientPods"},
      {R"("maxUnavailable":"50%")", "6 3 3 0 InsufficientPods"},
      {R"("maxUnavailable":"51%")", "6 2 3 1 SufficientPods"},
  };
  for (const Case& c : cases) {
    INFO(c.spec);
    BudgetFixture cluster;
    cluster.put_scaled(kReplicaSets, "rs", "r1", 6);
    const std::string owner = controlled_by("apps/v1", "ReplicaSet", "rs", "r1");
    for (const std::string_view name : {"p1", "p2", "p3"}) cluster.put_pod(name, owner);
    cluster.put_pod("p4", owner, kUnready);
    cluster.create_budget(c.spec);
    cluster.run();
    CHECK(cluster.status() == c.status);
    CHECK(cluster.events().empty());
  }
}

TEST_CASE("disruption: how many pods a controller of each kind wants", "[controllers]") {
  struct Case {
    LoopFixture::Resource resource;
    std::string_view api_version, kind;
  };
  const Case cases[] = {
      {kReplicaSets, "apps/v1", "ReplicaSet"},
      {{"apps", "v1", "deployments"}, "apps/v1", "Deployment"},
      {{"apps", "v1", "statefulsets"}, "apps/v1", "StatefulSet"},
      {{"", "v1", "replicationcontrollers"}, "v1", "ReplicationController"},
  };
  for (const Case& c : cases) {
    INFO(c.kind);
    BudgetFixture cluster;
    cluster.put_scaled(c.resource, "x", "u1", 5);
    // One controller counts once, another one is added.
    cluster.put_scaled(c.resource, "y", "u2", 2);
    cluster.put_pod("p1", controlled_by(c.api_version, c.kind, "x", "u1"));
    cluster.put_pod("p2", controlled_by(c.api_version, c.kind, "x", "u1"));
    cluster.put_pod("p3", controlled_by(c.api_version, c.kind, "y", "u2"));
    cluster.create_budget(R"("maxUnavailable":6)");
    cluster.run();
    CHECK(cluster.status() == "7 1 3 2 SufficientPods");
  }
}

TEST_CASE("disruption: replica sets of a deployment count as that, once", "[controllers]") {
  BudgetFixture cluster;
  cluster.put_scaled({"apps", "v1", "deployments"}, "d", "d1", 4);
  const std::string deployment = controlled_by("apps/v1", "Deployment", "d", "d1");
  cluster.put_scaled(kReplicaSets, "old", "r1", 3, deployment);
  cluster.put_scaled(kReplicaSets, "new", "r2", 2, deployment);
  cluster.put_pod("p1", controlled_by("apps/v1", "ReplicaSet", "old", "r1"));
  cluster.put_pod("p2", controlled_by("apps/v1", "ReplicaSet", "new", "r2"));
  cluster.create_budget(R"("maxUnavailable":3)");
  cluster.run();
  CHECK(cluster.status() == "4 1 2 1 SufficientPods");
  // A set whose deployment is another one stands alone.
  cluster.put_scaled({"apps", "v1", "deployments"}, "d", "d2", 4);
  cluster.put_pod("p2", controlled_by("apps/v1", "ReplicaSet", "new", "r2"));
  cluster.run();
  CHECK(cluster.status() == "5 2 2 0 InsufficientPods");
}

TEST_CASE("disruption: without a known controller nothing is allowed, and that is told",
          "[controllers]") {
  struct Case {
    std::string owner;
    std::string_view error;
  };
  const Case cases[] = {
      {controlled_by("apps/v1", "ReplicaSet", "none", "r1"), R"(found no controllers for pod "p")"},
      {controlled_by("apps/v1", "ReplicaSet", "rs", "r0"), R"(found no controllers for pod "p")"},
      {controlled_by("batch/v1", "Job", "j", "j1"),
       "jobs.batch does not implement the scale subresource"},
      {controlled_by("example.com/v1", "Robot", "x", "x1"),
       R"(no matches for kind "Robot" in version "example.com/v1")"},
  };
  for (const Case& c : cases) {
    INFO(c.error);
    BudgetFixture cluster;
    cluster.put_scaled(kReplicaSets, "rs", "r1", 1);
    cluster.put_pod("p", c.owner);
    cluster.create_budget(R"("maxUnavailable":1)");
    cluster.run();
    CHECK(cluster.status() == "0 0 0 0 SyncFailed");
    CHECK(cluster.stored(kBudgets, "default", "b", "status.conditions") ==
          R"([{"type":"DisruptionAllowed","status":"False","lastTransitionTime":)"
          R"("1970-01-01T00:00:02Z","reason":"SyncFailed","message":)" +
              tests::json_text(json::Value::string(c.error)) + "}]");
    CHECK(cluster.events() ==
          std::vector<std::string>{"CalculateExpectedPodCountFailed: Failed to calculate the "
                                   "number of expected pods: " +
                                   std::string(c.error)});
  }
}

TEST_CASE("disruption: pods without a controller count only for a number", "[controllers]") {
  BudgetFixture cluster;
  cluster.put_pod("p1", "");
  cluster.put_pod("p2", "");
  cluster.create_budget(R"("minAvailable":1)");
  cluster.run();
  CHECK(cluster.status() == "2 1 2 1 SufficientPods");
  CHECK(cluster.events().empty());
  REQUIRE(cluster.update(kBudgets, "default",
                         R"({"metadata":{"name":"b"},"spec":{"maxUnavailable":1,"selector":)"
                         R"({"matchLabels":{"app":"web"},"matchExpressions":)"
                         R"([{"key":"app","operator":"In","values":["web","x"]}]}}})") == "");
  cluster.run();
  CHECK(cluster.status() == "0 0 2 0 InsufficientPods");
  CHECK(cluster.events() ==
        std::vector<std::string>{
            "UnmanagedPods: Pods selected by this PodDisruptionBudget (selector: "
            "&LabelSelector{MatchLabels:map[string]string{app: web,},MatchExpressions:"
            "[]LabelSelectorRequirement{LabelSelectorRequirement{Key:app,Operator:In,Values:[web "
            "x],},},}) were found to be unmanaged. As a result, the status of the PDB cannot be "
            "calculated correctly, which may result in undefined behavior. To account for these "
            "pods please set \".spec.minAvailable\" field of the PDB to an integer value."});
}

TEST_CASE("disruption: a budget without pods says so", "[controllers]") {
  BudgetFixture cluster;
  cluster.create_budget(R"("minAvailable":0)");
  cluster.run();
  CHECK(cluster.status() == "0 0 0 0 InsufficientPods");
  CHECK(cluster.events() == std::vector<std::string>{"NoPods: No matching pods found"});
}

TEST_CASE("disruption: of several budgets one counts, and the pod says so", "[controllers]") {
  BudgetFixture cluster;
  cluster.create_budget(R"("minAvailable":0)");
  REQUIRE(cluster.create(kBudgets, "default",
                         R"({"metadata":{"name":"c"},"spec":{"selector":{},"minAvailable":0}})") ==
          "");
  cluster.run();
  cluster.put_pod("p", "");
  cluster.run();
  const std::vector<std::string> events = cluster.events();
  CHECK(std::find(events.begin(), events.end(),
                  "MultiplePodDisruptionBudgets: Pod \"default\"/\"p\" matches multiple "
                  "PodDisruptionBudgets.  Chose \"b\" arbitrarily.") != events.end());
}

TEST_CASE("disruption: a selector that is missing selects nothing, an empty one everything",
          "[controllers]") {
  for (const std::string_view selector : {"", R"("selector":{},)"}) {
    INFO(selector);
    BudgetFixture cluster;
    cluster.put_pod("p1", "");
    REQUIRE(cluster.create(kBudgets, "default",
                           R"({"metadata":{"name":"b"},"spec":{)" + std::string(selector) +
                               R"("minAvailable":1}})") == "");
    cluster.run();
    CHECK(cluster.status() ==
          (selector.empty() ? "0 1 0 0 InsufficientPods" : "1 1 1 0 InsufficientPods"));
  }
}

TEST_CASE("disruption: the status follows the pods", "[controllers]") {
  BudgetFixture cluster;
  cluster.put_pod("p1", "");
  cluster.create_budget(R"("minAvailable":1)");
  cluster.run();
  CHECK(cluster.status() == "1 1 1 0 InsufficientPods");
  CHECK(cluster.stored(kBudgets, "default", "b", "status.observedGeneration") == "1");
  cluster.put_pod("p2", "");
  cluster.run();
  CHECK(cluster.status() == "2 1 2 1 SufficientPods");
  CHECK(cluster.stored(kBudgets, "default", "b", "status.conditions") ==
        R"([{"type":"DisruptionAllowed","status":"True","observedGeneration":1,)"
        R"("lastTransitionTime":"1970-01-01T00:00:03Z","reason":"SufficientPods","message":""}])");
  // One that is going is not healthy.
  cluster.put(kCoveredPods, "default",
              R"({"metadata":{"labels":{"app":"web"},"name":"p1",)"
              R"("deletionTimestamp":"1970-01-01T00:01:00Z"},"spec":{"containers":[]},"status":)" +
                  std::string(kReady) + "}");
  cluster.run();
  CHECK(cluster.status() == "2 1 1 0 InsufficientPods");
  cluster.remove(kCoveredPods, "default", "p1");
  cluster.run();
  CHECK(cluster.status() == "1 1 1 0 InsufficientPods");
  // Another label, another namespace: not this budget's.
  cluster.put({"", "v1", "pods"}, "default",
              R"({"metadata":{"name":"q","labels":{"app":"x"}},"spec":{"containers":[]}})");
  CHECK(cluster.run() == 0);
}

TEST_CASE("disruption: a granted eviction counts for two minutes", "[controllers]") {
  BudgetFixture cluster;
  for (const std::string_view name : {"p1", "p2", "p3"}) cluster.put_pod(name, "");
  cluster.create_budget(R"("minAvailable":1)");
  cluster.run();
  CHECK(cluster.status() == "3 1 3 2 SufficientPods");
  // As an eviction does; of two pods, one does not exist.
  const std::string budget = R"({"metadata":{"name":"b","uid":"b1","generation":1},"spec":)"
                             R"({"minAvailable":1,"selector":{"matchLabels":{"app":"web"}}},)"
                             R"("status":{"disruptionsAllowed":1,"currentHealthy":3,)"
                             R"("desiredHealthy":1,"expectedPods":3,"disruptedPods":)"
                             R"({"gone":"1970-01-01T00:00:02Z","p1":"1970-01-01T00:00:02Z"}}})";
  cluster.put(kBudgets, "default", budget);
  cluster.run();
  CHECK(cluster.status() == "3 1 2 1 SufficientPods");
  CHECK(cluster.stored(kBudgets, "default", "b", "status.disruptedPods") ==
        R"({"p1":"1970-01-01T00:00:02Z"})");
  cluster.run(Duration::from_seconds(118));
  CHECK(cluster.status() == "3 1 2 1 SufficientPods");
  cluster.run(Duration::from_seconds(2));
  CHECK(cluster.status() == "3 1 3 2 SufficientPods");
  CHECK(cluster.stored(kBudgets, "default", "b", "status.disruptedPods") == "");
  CHECK(cluster.events() ==
        std::vector<std::string>{
            "NotDeleted: Pod was expected by PDB default/default to be deleted but it wasn't"});
}

TEST_CASE("disruption: a pod's announced disruption that does not come is taken back",
          "[controllers]") {
  struct Case {
    std::string_view condition, phase;
    bool stale;
  };
  const Case cases[] = {
      {R"("status":"True","reason":"EvictionByEvictionAPI")", "Running", true},
      {R"("status":"True","reason":"TerminationByKubelet")", "Running", false},
      {R"("status":"False","reason":"EvictionByEvictionAPI")", "Running", false},
      {R"("status":"True","reason":"EvictionByEvictionAPI")", "Failed", false},
  };
  for (const Case& c : cases) {
    INFO(c.condition << c.phase);
    BudgetFixture cluster;
    const std::string conditions =
        R"([{"type":"DisruptionTarget","lastTransitionTime":"1970-01-01T00:00:01Z",)" +
        std::string(c.condition) + "}]";
    cluster.put_pod(
        "p", "", R"({"phase":")" + std::string(c.phase) + R"(","conditions":)" + conditions + "}");
    cluster.run(Duration::from_seconds(119));
    const std::string before = cluster.stored(kCoveredPods, "default", "p", "status.conditions");
    CHECK(before.find("1970-01-01T00:00:01Z") != std::string::npos);
    cluster.run(Duration::from_seconds(1));
    const std::string after = cluster.stored(kCoveredPods, "default", "p", "status.conditions");
    CHECK((after == before) == !c.stale);
    if (c.stale) {
      CHECK(after == R"([{"type":"DisruptionTarget","status":"False","lastProbeTime":null,)"
                     R"("lastTransitionTime":"1970-01-01T00:02:01Z"}])");
    }
  }
}

}  // namespace
}  // namespace tabernetes::controllers
