// The loops for definitions of custom resources: their names, their life, their APIServices.
#include <string>

#include "../loop_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kDefinitions{"apiextensions.k8s.io", "v1",
                                             "customresourcedefinitions"};
constexpr LoopFixture::Resource kServices{"apiregistration.k8s.io", "v1", "apiservices"};
constexpr LoopFixture::Resource kRobots{"example.com", "v1", "robots"};

// A definition in example.com; `names` is JSON without brackets, with what is beside the plural.
std::string definition_text(std::string_view plural, std::string_view names,
                            std::string_view more = R"("group":"example.com")",
                            std::string_view group = "example.com") {
  return R"({"metadata":{"name":")" + std::string(plural) + "." + std::string(group) +
         R"("},"spec":{"scope":"Namespaced","names":{"plural":")" + std::string(plural) + R"(",)" +
         std::string(names) +
         R"(},"versions":[{"name":"v1","served":true,"storage":true,)"
         R"("schema":{"openAPIV3Schema":{"type":"object"}}},)"
         R"({"name":"v0","served":false,"storage":false,)"
         R"("schema":{"openAPIV3Schema":{"type":"object"}}}],)" +
         std::string(more) + "}}";
}
constexpr std::string_view kRobotNames =
    R"("singular":"robot","kind":"Robot","listKind":"RobotList","shortNames":["rb","bot"],)"
    R"("categories":["all"])";

class DefinitionFixture : public LoopFixture {
 public:
  // Returns a condition as STATUS REASON: MESSAGE.
  std::string condition(std::string_view definition, std::string_view type) {
    const json::Value object = registry.find_object(kDefinitions, {}, definition, arena);
    for (const json::Value& one : items_at(object, {"status", "conditions"})) {
      if (one.string_at("type") != type) continue;
      return std::string(one.string_at("status")) + " " + std::string(one.string_at("reason")) +
             ": " + std::string(one.string_at("message"));
    }
    return {};
  }
};

TEST_CASE("custom definitions: names are accepted, the kind is established and served",
          "[controllers]") {
  DefinitionFixture cluster;
  REQUIRE(cluster.create(kDefinitions, "", definition_text("robots", kRobotNames)) == "");
  CHECK(cluster.condition("robots.example.com", "Established") == "");
  cluster.run();
  CHECK(cluster.condition("robots.example.com", "NamesAccepted") ==
        "True NoConflicts: no conflicts found");
  CHECK(cluster.condition("robots.example.com", "Established") ==
        "True InitialNamesAccepted: the initial names have been accepted");
  CHECK(cluster.stored(kDefinitions, "", "robots.example.com", "status.acceptedNames") ==
        R"({"plural":"robots","singular":"robot","shortNames":["rb","bot"],"kind":"Robot",)"
        R"("listKind":"RobotList","categories":["all"]})");
  CHECK(cluster.create(kRobots, "default",
                       R"({"apiVersion":"example.com/v1","kind":"Robot",)"
                       R"("metadata":{"name":"r"}})") == "");
  CHECK(cluster.run() == 0);
}

TEST_CASE("custom definitions: names in use are not accepted", "[controllers]") {
  struct Case {
    std::string_view plural, names, condition, accepted;
  };
  const Case cases[] = {
      {"toys", R"("singular":"robot","kind":"Toy","listKind":"ToyList")",
       R"(False SingularConflict: "robot" is already in use)",
       R"({"plural":"toys","kind":"Toy","listKind":"ToyList"})"},
      {"bot", R"("singular":"toy","kind":"Toy","listKind":"ToyList")",
       R"(False PluralConflict: "bot" is already in use)",
       R"({"plural":"","singular":"toy","kind":"Toy","listKind":"ToyList"})"},
      {"toys", R"("singular":"toy","kind":"Robot","listKind":"ToyList")",
       R"(False KindConflict: "Robot" is already in use)",
       R"({"plural":"toys","singular":"toy","kind":"","listKind":"ToyList"})"},
      {"toys", R"("singular":"toy","kind":"Toy","listKind":"RobotList")",
       R"(False ListKindConflict: "RobotList" is already in use)",
       R"({"plural":"toys","singular":"toy","kind":"Toy"})"},
      {"toys",
       R"("singular":"toy","kind":"Toy","listKind":"ToyList","shortNames":["t","rb","bot"])",
       R"(False ShortNamesConflict: ["rb" is already in use, "bot" is already in use])",
       R"({"plural":"toys","singular":"toy","kind":"Toy","listKind":"ToyList"})"},
      {"toys", R"("singular":"toy","kind":"Toy","listKind":"ToyList","shortNames":["t","rb"])",
       R"(False ShortNamesConflict: "rb" is already in use)",
       R"({"plural":"toys","singular":"toy","kind":"Toy","listKind":"ToyList"})"},
      // The last conflict is told.
      {"toys", R"("singular":"robot","kind":"Robot","listKind":"ToyList")",
       R"(False KindConflict: "Robot" is already in use)",
       R"({"plural":"toys","kind":"","listKind":"ToyList"})"},
  };
  for (const Case& c : cases) {
    INFO(c.plural << c.names);
    DefinitionFixture cluster;
    REQUIRE(cluster.create(kDefinitions, "", definition_text("robots", kRobotNames)) == "");
    cluster.run();
    const std::string name = std::string(c.plural) + ".example.com";
    REQUIRE(cluster.create(kDefinitions, "", definition_text(c.plural, c.names)) == "");
    cluster.run();
    CHECK(cluster.condition(name, "NamesAccepted") == c.condition);
    CHECK(cluster.condition(name, "Established") ==
          "False NotAccepted: not all names are accepted");
    CHECK(cluster.stored(kDefinitions, "", name, "status.acceptedNames") == c.accepted);

    // When the other goes, its names are free.
    REQUIRE(cluster.erase(kDefinitions, "", "robots.example.com") == "");
    cluster.run();
    CHECK_FALSE(cluster.exists(kDefinitions, "", "robots.example.com"));
    CHECK(cluster.condition(name, "NamesAccepted") == "True NoConflicts: no conflicts found");
    CHECK(cluster.condition(name, "Established") ==
          "True InitialNamesAccepted: the initial names have been accepted");
  }
}

TEST_CASE("custom definitions: names of other groups do not conflict", "[controllers]") {
  DefinitionFixture cluster;
  REQUIRE(cluster.create(kDefinitions, "", definition_text("robots", kRobotNames)) == "");
  REQUIRE(cluster.create(kDefinitions, "",
                         definition_text("robots", kRobotNames, R"("group":"example.org")",
                                         "example.org")) == "");
  cluster.run();
  for (const std::string_view name : {"robots.example.com", "robots.example.org"}) {
    CHECK(cluster.condition(name, "Established") ==
          "True InitialNamesAccepted: the initial names have been accepted");
  }
}

TEST_CASE("custom definitions: a definition goes after its objects", "[controllers]") {
  DefinitionFixture cluster;
  REQUIRE(cluster.create(kDefinitions, "", definition_text("robots", kRobotNames)) == "");
  cluster.run();
  for (const std::string_view robot :
       {R"("name":"free")", R"("name":"held","finalizers":["h/1"])"}) {
    REQUIRE(cluster.create(kRobots, "default",
                           R"({"apiVersion":"example.com/v1","kind":"Robot","metadata":{)" +
                               std::string(robot) + "}}") == "");
  }
  REQUIRE(cluster.erase(kDefinitions, "", "robots.example.com") == "");
  cluster.run();
  CHECK(cluster.condition("robots.example.com", "Terminating") ==
        "True InstanceDeletionInProgress: CustomResource deletion is in progress");
  CHECK(cluster.names(kRobots, "default") == "held");
  CHECK(cluster.stored(kDefinitions, "", "robots.example.com", "metadata.finalizers") ==
        R"(["customresourcecleanup.apiextensions.k8s.io"])");
  // It tells when its patience is over, and starts again.
  cluster.run(Duration::from_seconds(61));
  CHECK(cluster.names(kRobots, "default") == "held");
  CHECK(cluster.exists(kDefinitions, "", "robots.example.com"));
  REQUIRE(cluster.update(kRobots, "default",
                         R"({"apiVersion":"example.com/v1","kind":"Robot","metadata":{"name":)"
                         R"("held"}})") == "");
  cluster.run();
  CHECK_FALSE(cluster.exists(kDefinitions, "", "robots.example.com"));
}

TEST_CASE("custom definitions: kinds of community groups tell of their approval", "[controllers]") {
  struct Case {
    std::string_view annotation, condition;
  };
  const Case cases[] = {
      {"https://github.com/kubernetes/kubernetes/pull/1",
       "True ApprovedAnnotation: approved in https://github.com/kubernetes/kubernetes/pull/1"},
      {"unapproved, experimental",
       R"(False UnapprovedAnnotation: not approved: "unapproved, experimental")"},
  };
  for (const Case& c : cases) {
    DefinitionFixture cluster;
    std::string text =
        definition_text("robots", kRobotNames, R"("group":"robots.k8s.io")", "robots.k8s.io");
    text.insert(text.find(R"("name")"), R"("annotations":{"api-approved.kubernetes.io":")" +
                                            std::string(c.annotation) + R"("},)");
    REQUIRE(cluster.create(kDefinitions, "", text) == "");
    cluster.run();
    CHECK(cluster.condition("robots.robots.k8s.io", "KubernetesAPIApprovalPolicyConformant") ==
          c.condition);
  }
}

TEST_CASE("api services: one for each served version, as long as it is served", "[controllers]") {
  DefinitionFixture cluster;
  // Not ours: it has no label.
  cluster.put(kServices, "", R"({"metadata":{"name":"v2.example.com"}})");
  REQUIRE(cluster.create(kDefinitions, "", definition_text("robots", kRobotNames)) == "");
  cluster.run();
  CHECK(cluster.names(kServices, "") == "v1.example.com v2.example.com");
  CHECK(cluster.stored(kServices, "", "v1.example.com", "spec") ==
        R"({"group":"example.com","version":"v1","groupPriorityMinimum":1000,)"
        R"("versionPriority":100})");
  CHECK(cluster.stored(kServices, "", "v1.example.com", "metadata.labels") ==
        R"({"kube-aggregator.kubernetes.io/automanaged":"true"})");

  // Another kind of the group keeps it.
  REQUIRE(cluster.create(kDefinitions, "",
                         definition_text("toys", R"("kind":"Toy","listKind":"ToyList")")) == "");
  cluster.run();
  REQUIRE(cluster.erase(kDefinitions, "", "robots.example.com") == "");
  cluster.run();
  CHECK(cluster.names(kServices, "") == "v1.example.com v2.example.com");
  REQUIRE(cluster.erase(kDefinitions, "", "toys.example.com") == "");
  cluster.run();
  CHECK(cluster.names(kServices, "") == "v2.example.com");
}

TEST_CASE("api services: groups that end alike are told apart", "[controllers]") {
  DefinitionFixture cluster;
  REQUIRE(cluster.create(kDefinitions, "", definition_text("robots", kRobotNames)) == "");
  REQUIRE(cluster.create(kDefinitions, "",
                         definition_text("robots", kRobotNames, R"("group":"my.example.com")",
                                         "my.example.com")) == "");
  cluster.run();
  CHECK(cluster.names(kServices, "") == "v1.example.com v1.my.example.com");
  REQUIRE(cluster.erase(kDefinitions, "", "robots.example.com") == "");
  cluster.run();
  CHECK(cluster.names(kServices, "") == "v1.my.example.com");
}

}  // namespace
}  // namespace tabernetes::controllers
