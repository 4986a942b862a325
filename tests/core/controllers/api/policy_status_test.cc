#include <string>

#include "../loop_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kCheckedPolicies{"admissionregistration.k8s.io", "v1",
                                                 "validatingadmissionpolicies"};

// A cluster with a policy about resources of `group` (v1).
class PolicyFixture : public LoopFixture {
 public:
  PolicyFixture() : LoopFixture("validatingadmissionpolicy-status-controller") {}

  static std::string policy(std::string_view expression, std::string_view group = "apps",
                            std::string_view resources = R"("deployments")") {
    return R"({"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[{)"
           R"("apiGroups":[")" +
           std::string(group) + R"("],"apiVersions":["v1"],"operations":["CREATE"],"resources":[)" +
           std::string(resources) +
           R"(]}]},"variables":[{"name":"n","expression":"1"}],"validations":[{"expression":")" +
           std::string(expression) + R"("}]}})";
  }
  std::string status() { return stored(kCheckedPolicies, "", "p", "status"); }
  // Returns where the first warning is, and what it says; empty if there is none.
  std::string warning() {
    const json::Value object = registry.find_object(kCheckedPolicies, "", "p", arena);
    for (const json::Value& found :
         items_at(object, {"status", "typeChecking", "expressionWarnings"})) {
      return std::string(found.string_at("fieldRef")) + ": " +
             std::string(found.string_at("warning"));
    }
    return "";
  }
};

std::string warning_about(std::string_view expression,
                          std::string_view resources = R"("deployments")") {
  PolicyFixture cluster;
  REQUIRE(cluster.create(kCheckedPolicies, "",
                         PolicyFixture::policy(expression, "apps", resources)) == "");
  cluster.run();
  const std::string warning = cluster.warning();
  if (warning.empty()) CHECK(cluster.status() == R"({"observedGeneration":1,"typeChecking":{}})");
  return warning;
}

TEST_CASE("policy status: expressions are held against the types of their kinds", "[controllers]") {
  CHECK(warning_about("object.spec.replicas > variables.n") == "");
  CHECK(warning_about("object.metadata.labels['a'] == 'b'") == "");
  CHECK(warning_about("object.spec.template.spec.containers.all(c, c.image != '')") == "");
  CHECK(warning_about("object.metadata.creationTimestamp < timestamp('2026-01-01T00:00:00Z')") ==
        "");
  CHECK(warning_about("object.spec.replica > 1") ==
        "spec.validations[0].expression: apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined "
        "field 'replica'\n | object.spec.replica > 1\n | ...........^\n");
  CHECK(warning_about("object.spec.replicas == 'x'", R"("replicasets","deployments")") ==
        "spec.validations[0].expression: apps/v1, Kind=Deployment: ERROR: <input>:1:22: found no "
        "matching overload for '_==_' applied to '(int, string)'\n"
        " | object.spec.replicas == 'x'\n | .....................^\n"
        "\napps/v1, Kind=ReplicaSet: ERROR: <input>:1:22: found no matching overload for '_==_' "
        "applied to '(int, string)'\n"
        " | object.spec.replicas == 'x'\n | .....................^\n");
  // Nothing is known about all kinds.
  CHECK(warning_about("object.any == 'thing'", R"("*")") == "");
}

TEST_CASE("policy status: it follows the generation", "[controllers]") {
  PolicyFixture cluster;
  REQUIRE(cluster.create(kCheckedPolicies, "", PolicyFixture::policy("true", "", R"("pods")")) ==
          "");
  cluster.run();
  CHECK(cluster.status() == R"({"observedGeneration":1,"typeChecking":{}})");
  REQUIRE(cluster.update(kCheckedPolicies, "",
                         PolicyFixture::policy("object.x == 1", "", R"("pods")")) == "");
  cluster.run();
  CHECK(cluster.status().starts_with(R"({"observedGeneration":2,)"));
  CHECK(
      cluster.warning().starts_with("spec.validations[0].expression: /v1, Kind=Pod: ERROR: "
                                    "<input>:1:7: undefined field 'x'"));
  CHECK(cluster.run() == 0);
}

}  // namespace
}  // namespace tabernetes::controllers
