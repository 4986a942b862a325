#include "auth/escalation.h"

#include "role_fixture.h"

namespace tabernetes::auth {
namespace {

class NoPlugins final : public registry::Admission {
 public:
  Result<void> mutate(const registry::AdmissionRequest&) const override { return {}; }
  Result<void> validate(const registry::AdmissionRequest&) const override { return {}; }
};

// A cluster where anna may read pods, and writes roles as herself.
class GuardedFixture : public RoleFixture {
 public:
  GuardedFixture() {
    put(kRoleBindings, "default", binding_text("pods", "ClusterRole/reader", kAnna));
    registry.set_admission(guard_);
    user = &anna_;
  }
  // Lets anna use a verb on all roles.
  void allow(std::string_view verb) {
    put(kClusterRoles, "",
        role_text("special", R"({"verbs":[")" + std::string(verb) +
                                 R"("],"apiGroups":["rbac.authorization.k8s.io"],)"
                                 R"("resources":["roles","clusterroles"]})"));
    put(kClusterRoleBindings, "", binding_text("special", "ClusterRole/special", kAnna));
  }

 private:
  NoPlugins plugins_;
  EscalationGuard guard_{plugins_, roles};
  User anna_ = user_called("anna", {"staff", "system:authenticated"});
};

constexpr std::string_view kDeletePods =
    R"({"verbs":["delete","get"],"apiGroups":[""],"resources":["pods","secrets"]})";
constexpr std::string_view kAttempt =
    R"(user "anna" (groups=["staff" "system:authenticated"]) is attempting to grant RBAC )"
    "permissions not currently held:\n";

TEST_CASE("escalation: a role has only permissions of its writer", "[auth]") {
  GuardedFixture cluster;
  CHECK(cluster.create(kRoles, "default", role_text("a", kReadPods)) == "");
  const std::string missing = std::string(kAttempt) +
                              R"({APIGroups:[""], Resources:["pods"], Verbs:["delete"]})" + "\n" +
                              R"({APIGroups:[""], Resources:["secrets"], Verbs:["delete" "get"]})";
  CHECK(cluster.create(kRoles, "default", role_text("b", kDeletePods)) ==
        R"(roles.rbac.authorization.k8s.io "b" is forbidden: )" + missing);
  CHECK(cluster.update(kRoles, "default", role_text("a", kDeletePods)) ==
        R"(roles.rbac.authorization.k8s.io "a" is forbidden: )" + missing);
  CHECK(cluster.stored(kRoles, "default", "a", "rules") == "[" + std::string(kReadPods) + "]");
  // What she may do here she may not do elsewhere.
  const std::string elsewhere =
      std::string(kAttempt) + R"({APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]})";
  CHECK(cluster.create(kRoles, "other", role_text("a", kReadPods)) ==
        R"(roles.rbac.authorization.k8s.io "a" is forbidden: )" + elsewhere);
  CHECK(cluster.create(kClusterRoles, "", role_text("a", kReadPods)) ==
        R"(clusterroles.rbac.authorization.k8s.io "a" is forbidden: )" + elsewhere);
}

TEST_CASE("escalation: a binding is to a role whose permissions its writer has", "[auth]") {
  GuardedFixture cluster;
  CHECK(cluster.create(kRoleBindings, "default", binding_text("a", "ClusterRole/reader", kStaff)) ==
        "");
  CHECK(cluster.create(kRoleBindings, "default", binding_text("b", "Role/logger", kStaff)) ==
        R"(rolebindings.rbac.authorization.k8s.io "b" is forbidden: )" + std::string(kAttempt) +
            R"({APIGroups:[""], Resources:["pods/log"], Verbs:["get"]})");
  CHECK(cluster.create(kRoleBindings, "default", binding_text("c", "Role/none", kStaff)) ==
        R"(rolebindings.rbac.authorization.k8s.io "none" not found)");
  CHECK(cluster.create(kClusterRoleBindings, "", binding_text("d", "ClusterRole/prober", kStaff)) ==
        R"(clusterrolebindings.rbac.authorization.k8s.io "d" is forbidden: )" +
            std::string(kAttempt) + R"({NonResourceURLs:["/healthz"], Verbs:["get"]})");
  // A name that is still to be generated is not told.
  std::string generated = binding_text("d-", "ClusterRole/prober", kStaff);
  generated.replace(generated.find(R"("name")"), 6, R"("generateName")");
  CHECK(cluster.create(kClusterRoleBindings, "", generated) ==
        "clusterrolebindings.rbac.authorization.k8s.io is forbidden: " + std::string(kAttempt) +
            R"({NonResourceURLs:["/healthz"], Verbs:["get"]})");
}

TEST_CASE("escalation: missing roles among the writer's are told beside", "[auth]") {
  GuardedFixture cluster;
  cluster.put(kClusterRoleBindings, "", binding_text("lost", "ClusterRole/lost", kStaff));
  CHECK(cluster.create(kRoles, "default", role_text("a", kReadLogs)) ==
        R"(roles.rbac.authorization.k8s.io "a" is forbidden: )" + std::string(kAttempt) +
            R"({APIGroups:[""], Resources:["pods/log"], Verbs:["get"]}; )"
            R"(resolution errors: [roles.rbac.authorization.k8s.io "lost" not found])");
}

TEST_CASE("escalation: the verbs `escalate` and `bind` lift the check, each its own", "[auth]") {
  for (const std::string_view verb : {"escalate", "bind"}) {
    INFO(verb);
    GuardedFixture cluster;
    cluster.allow(verb);
    const std::string role = cluster.create(kRoles, "default", role_text("a", kDeletePods));
    const std::string binding =
        cluster.create(kRoleBindings, "default", binding_text("b", "Role/logger", kStaff));
    CHECK((role == "") == (verb == "escalate"));
    CHECK((binding == "") == (verb == "bind"));
  }
}

TEST_CASE("escalation: aggregation is for who may do everything", "[auth]") {
  constexpr std::string_view kGathers =
      R"({"metadata":{"name":"all"},"aggregationRule":{"clusterRoleSelectors":)"
      R"([{"matchLabels":{"a":"b"}}]}})";
  const std::string refusal = R"(clusterroles.rbac.authorization.k8s.io "all" is forbidden: )"
                              "must have cluster-admin privileges to use the aggregationRule";
  GuardedFixture cluster;
  CHECK(cluster.create(kClusterRoles, "", kGathers) == refusal);
  // To stop aggregating needs the same.
  cluster.put(kClusterRoles, "", kGathers);
  CHECK(cluster.update(kClusterRoles, "", R"({"metadata":{"name":"all"}})") == refusal);

  cluster.put(kClusterRoles, "",
              role_text("admin", R"({"verbs":["*"],"apiGroups":["*"],"resources":["*"]},)"
                                 R"({"verbs":["*"],"nonResourceURLs":["*"]})"));
  cluster.put(kClusterRoleBindings, "", binding_text("admin", "ClusterRole/admin", kAnna));
  CHECK(cluster.update(kClusterRoles, "", R"({"metadata":{"name":"all"}})") == "");
  CHECK(cluster.update(kClusterRoles, "", kGathers) == "");
}

TEST_CASE("escalation: not for masters, the server, other kinds and the garbage collector",
          "[auth]") {
  GuardedFixture cluster;
  cluster.put(kRoles, "default", role_text("a", kDeletePods));
  const auto change = [&](std::string_view metadata) {
    return cluster.update(kRoles, "default",
                          R"({"metadata":{"name":"a",)" + std::string(metadata) + R"(},"rules":[)" +
                              std::string(kDeletePods) + "]}");
  };
  // Owners and finalizers may change without the permissions that the role has.
  CHECK(change(R"("finalizers":["x/y"],"ownerReferences":[)"
               R"({"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"}])") == "");
  CHECK(change(R"("labels":{"b":"c"})") != "");
  CHECK(cluster.create({"", "v1", "configmaps"}, "default", R"({"metadata":{"name":"a"}})") == "");
  CHECK(cluster.erase(kRoles, "default", "a") == "");

  const User root = user_called("root", {"system:masters"});
  for (const User* writer : {&root, static_cast<const User*>(nullptr)}) {
    cluster.user = writer;
    const std::string name = writer == nullptr ? "own" : "root";
    CHECK(cluster.create(kRoles, "default", role_text(name, kDeletePods)) == "");
  }
}

}  // namespace
}  // namespace tabernetes::auth
