#include <string>

#include "../loop_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kClusterRoles{"rbac.authorization.k8s.io", "v1", "clusterroles"};

// Creates a role that may get one resource, called like it.
void create_role(LoopFixture& cluster, const std::string& name, std::string_view labels) {
  const std::string text =
      R"({"metadata":{"name":")" + name + R"(","labels":)" + std::string(labels) +
      R"(},"rules":[{"verbs":["get"],"apiGroups":[""],"resources":[")" + name + R"("]}]})";
  REQUIRE(cluster.create(kClusterRoles, "", text) == "");
}

TEST_CASE("role aggregation: a role has the rules of those that its selectors find",
          "[controllers]") {
  LoopFixture cluster("clusterrole-aggregation-controller");
  constexpr std::string_view kAll =
      R"({"metadata":{"name":"all"},"aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{"to":"all"}}]}})";
  REQUIRE(cluster.create(kClusterRoles, "", kAll) == "");
  create_role(cluster, "b", R"({"to":"all"})");
  create_role(cluster, "a", R"({"to":"all"})");
  create_role(cluster, "c", R"({"to":"others"})");
  CHECK(cluster.run() > 0);
  constexpr std::string_view kOfA = R"({"verbs":["get"],"apiGroups":[""],"resources":["a"]})";
  constexpr std::string_view kOfB = R"({"verbs":["get"],"apiGroups":[""],"resources":["b"]})";
  CHECK(cluster.stored(kClusterRoles, "", "all", "rules") ==
        "[" + std::string(kOfA) + "," + std::string(kOfB) + "]");

  cluster.remove(kClusterRoles, "", "a");
  CHECK(cluster.run() > 0);
  CHECK(cluster.stored(kClusterRoles, "", "all", "rules") == "[" + std::string(kOfB) + "]");
  CHECK(cluster.run() == 0);
}

}  // namespace
}  // namespace tabernetes::controllers
