#include <string>

#include "../loop_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr std::string_view kFlowGroup = "flowcontrol.apiserver.k8s.io";
constexpr LoopFixture::Resource kFlows{kFlowGroup, "v1", "flowschemas"};
constexpr LoopFixture::Resource kLevels{kFlowGroup, "v1", "prioritylevelconfigurations"};

std::string flow_text(std::string_view name, std::string_view level) {
  return R"({"metadata":{"name":")" + std::string(name) +
         R"("},"spec":{"matchingPrecedence":100,"priorityLevelConfiguration":{"name":")" +
         std::string(level) + R"("}}})";
}

constexpr std::string_view kLevel =
    R"({"metadata":{"name":"low"},"spec":{"type":"Limited","limited":)"
    R"({"limitResponse":{"type":"Reject"}}}})";

TEST_CASE("flow schemas: each tells whether its priority level exists", "[controllers]") {
  LoopFixture cluster;
  REQUIRE(cluster.create(kFlows, "", flow_text("a", "low")) == "");
  REQUIRE(cluster.create(kFlows, "", flow_text("b", "none")) == "");
  cluster.run();
  const auto dangling = [](std::string_view level, std::string_view time) {
    return R"([{"type":"Dangling","status":"True","lastTransitionTime":")" + std::string(time) +
           R"(","reason":"NotFound","message":"This FlowSchema references the )"
           R"(PriorityLevelConfiguration object named \")" +
           std::string(level) + R"(\" but there is no such object"}])";
  };
  CHECK(cluster.stored(kFlows, "", "a", "status.conditions") ==
        dangling("low", "1970-01-01T00:00:02Z"));
  CHECK(cluster.stored(kFlows, "", "b", "status.conditions") ==
        dangling("none", "1970-01-01T00:00:02Z"));

  REQUIRE(cluster.create(kLevels, "", kLevel) == "");
  cluster.run();
  CHECK(cluster.stored(kFlows, "", "a", "status.conditions") ==
        R"([{"type":"Dangling","status":"False","lastTransitionTime":"1970-01-01T00:00:03Z",)"
        R"("reason":"Found","message":"This FlowSchema references the PriorityLevelConfiguration )"
        R"(object named \"low\" and it exists"}])");
  CHECK(cluster.stored(kFlows, "", "b", "status.conditions") ==
        dangling("none", "1970-01-01T00:00:02Z"));

  REQUIRE(cluster.erase(kLevels, "", "low") == "");
  cluster.run();
  CHECK(cluster.stored(kFlows, "", "a", "status.conditions") ==
        dangling("low", "1970-01-01T00:00:04Z"));
  CHECK(cluster.run() == 0);
}

TEST_CASE("flow schemas: a change of the level that is named counts", "[controllers]") {
  LoopFixture cluster;
  REQUIRE(cluster.create(kLevels, "", kLevel) == "");
  REQUIRE(cluster.create(kFlows, "", flow_text("a", "low")) == "");
  cluster.run();
  CHECK(cluster.stored(kFlows, "", "a", "status.conditions.0.reason") == R"("Found")");
  REQUIRE(cluster.update(kFlows, "", flow_text("a", "other")) == "");
  cluster.run();
  CHECK(cluster.stored(kFlows, "", "a", "status.conditions.0.reason") == R"("NotFound")");
  CHECK(cluster.stored(kFlows, "", "a", "status.conditions.1") == "");
}

}  // namespace
}  // namespace tabernetes::controllers
