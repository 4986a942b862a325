#include "auth/rbac.h"

#include "role_fixture.h"

namespace tabernetes::auth {
namespace {

TEST_CASE("rbac: a binding grants its role where it is, and says so", "[auth]") {
  RoleFixture cluster;
  cluster.put(kRoleBindings, "default", binding_text("logs", "Role/logger", kAnna));
  cluster.put(kRoleBindings, "default", binding_text("pods", "ClusterRole/reader", kAnna));
  cluster.put(kClusterRoleBindings, "", binding_text("staff", "ClusterRole/reader", kStaff));
  cluster.put(kClusterRoleBindings, "", binding_text("probes", "ClusterRole/prober", kAnna));
  const User anna = user_called("anna");
  const User bert = user_called("bert", {"guests", "staff"});
  struct Case {
    const User& user;
    std::string_view verb, resource, subresource, ns, reason;
  };
  const Case cases[] = {
      {anna, "get", "pods", "", "default",
       R"(RBAC: allowed by RoleBinding "pods/default" of ClusterRole "reader" to User "anna")"},
      {anna, "get", "pods", "log", "default",
       R"(RBAC: allowed by RoleBinding "logs/default" of Role "logger" to User "anna")"},
      {anna, "get", "pods", "", "other", ""},
      {anna, "get", "pods", "", "", ""},
      {anna, "delete", "pods", "", "default", ""},
      {bert, "list", "pods", "", "other",
       R"(RBAC: allowed by ClusterRoleBinding "staff" of ClusterRole "reader" to Group "staff")"},
      {bert, "list", "pods", "", "",
       R"(RBAC: allowed by ClusterRoleBinding "staff" of ClusterRole "reader" to Group "staff")"},
      {bert, "get", "pods", "log", "default", ""},
  };
  for (const Case& c : cases) {
    INFO(c.user.name << " " << c.verb << " " << c.resource << "/" << c.subresource << " in "
                     << c.ns);
    const Decision decision = cluster.decide(c.user, c.verb, c.resource, c.ns, c.subresource);
    CHECK((decision.verdict == Verdict::kAllow) == !c.reason.empty());
    CHECK((decision.verdict == Verdict::kNoOpinion) == c.reason.empty());
    CHECK(decision.reason == c.reason);
    CHECK(decision.error == "");
  }
  CHECK(cluster.decide_path(anna, "/healthz").reason ==
        R"(RBAC: allowed by ClusterRoleBinding "probes" of ClusterRole "prober" to User "anna")");
  CHECK(cluster.decide_path(bert, "/healthz").verdict == Verdict::kNoOpinion);
}

TEST_CASE("rbac: a rule on paths in a namespaced binding grants nothing", "[auth]") {
  RoleFixture cluster;
  cluster.put(kRoleBindings, "default", binding_text("probes", "ClusterRole/prober", kAnna));
  CHECK(cluster.decide_path(user_called("anna"), "/healthz").verdict == Verdict::kNoOpinion);
}

TEST_CASE("rbac: masters may do everything, whatever is bound", "[auth]") {
  RoleFixture cluster;
  const User root = user_called("root", {"system:masters"});
  CHECK(is_master(root));
  CHECK_FALSE(is_master(user_called("system:masters")));
  CHECK(cluster.decide(root, "delete", "secrets", "x").verdict == Verdict::kAllow);
  CHECK(cluster.decide(root, "delete", "secrets", "x").reason == "");
  CHECK(cluster.decide_path(root, "/metrics").verdict == Verdict::kAllow);
}

TEST_CASE("rbac: a subject that is a service account is in its namespace or the binding's",
          "[auth]") {
  struct Case {
    std::string_view subject, user, to;
  };
  static constexpr std::string_view kHere = R"({"kind":"ServiceAccount","name":"bot"})";
  static constexpr std::string_view kThere =
      R"({"kind":"ServiceAccount","name":"bot","namespace":"other"})";
  const Case cases[] = {
      {kHere, "system:serviceaccount:default:bot", R"(ServiceAccount "bot/default")"},
      {kHere, "system:serviceaccount:other:bot", ""},
      {kThere, "system:serviceaccount:other:bot", R"(ServiceAccount "bot/other")"},
      {kThere, "system:serviceaccount:default:bot", ""},
      {kThere, "system:serviceaccount:other:bot2", ""},
      {kThere, "system:serviceaccount:other:bo", ""},
      {kThere, "bot", ""},
      {R"({"kind":"User","name":"system:serviceaccount:other:bot"})",
       "system:serviceaccount:other:bot", R"(User "system:serviceaccount:other:bot")"},
      {R"({"kind":"Machine","name":"bot"})", "bot", ""},
  };
  for (const Case& c : cases) {
    INFO(c.subject << " " << c.user);
    RoleFixture cluster;
    cluster.put(kRoleBindings, "default", binding_text("b", "ClusterRole/reader", c.subject));
    const Decision decision =
        cluster.decide(user_called(std::string(c.user)), "get", "pods", "default");
    CHECK(decision.reason ==
          (c.to.empty()
               ? std::string()
               : R"(RBAC: allowed by RoleBinding "b/default" of ClusterRole "reader" to )" +
                     std::string(c.to)));
  }
  // Without a namespace anywhere a service account is nobody.
  RoleFixture cluster;
  cluster.put(kClusterRoleBindings, "", binding_text("b", "ClusterRole/reader", kHere));
  CHECK(cluster.decide(user_called("system:serviceaccount::bot"), "get", "pods", "").verdict ==
        Verdict::kNoOpinion);
}

TEST_CASE("rbac: bindings to missing roles are told once each", "[auth]") {
  RoleFixture cluster;
  const User anna = user_called("anna", {"staff"});
  cluster.put(kClusterRoleBindings, "", binding_text("a", "ClusterRole/lost", kAnna));
  CHECK(cluster.decide(anna, "get", "pods", "default").reason ==
        R"(RBAC: clusterrole.rbac.authorization.k8s.io "lost" not found)");
  cluster.put(kClusterRoleBindings, "", binding_text("b", "ClusterRole/lost", kStaff));
  // A Role of another namespace is not found either.
  cluster.put(kRoleBindings, "other", binding_text("c", "Role/logger", kAnna));
  CHECK(cluster.decide(anna, "get", "pods", "other").reason ==
        R"(RBAC: [clusterrole.rbac.authorization.k8s.io "lost" not found, )"
        R"(role.rbac.authorization.k8s.io "logger" not found])");
  // What allows is said alone.
  cluster.put(kRoleBindings, "default", binding_text("d", "ClusterRole/reader", kAnna));
  CHECK(cluster.decide(anna, "get", "pods", "default").reason ==
        R"(RBAC: allowed by RoleBinding "d/default" of ClusterRole "reader" to User "anna")");
}

TEST_CASE("rbac: the rules of a user, those of the cluster first", "[auth]") {
  RoleFixture cluster;
  cluster.put(kRoleBindings, "default", binding_text("a", "Role/logger", kAnna));
  cluster.put(kClusterRoleBindings, "", binding_text("b", "ClusterRole/prober", kAnna));
  cluster.put(kClusterRoleBindings, "", binding_text("c", "ClusterRole/reader", kStaff));
  cluster.put(kClusterRoleBindings, "", binding_text("d", "ClusterRole/lost", kAnna));
  const User anna = user_called("anna", {"staff"});
  const auto grants = cluster.grants();
  const Rules all = grants->rules_for(anna, "default", cluster.arena);
  CHECK(tests::json_text(all.resources) ==
        "[" + std::string(kReadPods) + "," + std::string(kReadLogs) + "]");
  CHECK(tests::json_text(all.paths) == "[" + std::string(kReadHealth) + "]");
  CHECK_FALSE(all.incomplete);
  CHECK(all.error == R"(clusterrole.rbac.authorization.k8s.io "lost" not found)");
  const Rules none = grants->rules_for(user_called("bert"), "default", cluster.arena);
  CHECK(tests::json_text(none.resources) == "[]");
  CHECK(tests::json_text(none.paths) == "[]");
  CHECK(none.error == "");
}

TEST_CASE("rbac: a subject that is named twice is granted its role once", "[auth]") {
  RoleFixture cluster;
  cluster.put(
      kClusterRoleBindings, "",
      binding_text("a", "ClusterRole/reader", std::string(kStaff) + "," + std::string(kAnna)));
  const auto grants = cluster.grants();
  const std::vector<Grant> granted = grants->grants_to(user_called("anna", {"staff"}), "default");
  REQUIRE(granted.size() == 1);
  CHECK(granted[0].subject.string_at("name") == "staff");
}

TEST_CASE("rbac: changes count from then on, in new grants only", "[auth]") {
  RoleFixture cluster;
  const User anna = user_called("anna");
  const auto before = cluster.grants();
  const auto allows = [&](const Grants& grants) {
    Attributes wanted{.user = anna, .verb = "get"};
    wanted.resource = "pods";
    wanted.ns = "default";
    return grants.authorize(wanted).verdict == Verdict::kAllow;
  };
  CHECK_FALSE(allows(*before));
  cluster.put(kRoleBindings, "default", binding_text("a", "ClusterRole/reader", kAnna));
  const auto bound = cluster.grants();
  CHECK(allows(*bound));
  CHECK_FALSE(allows(*before));
  CHECK(cluster.grants() == bound);

  // What is no role leaves the grants as they are.
  cluster.put({"", "v1", "configmaps"}, "default", R"({"metadata":{"name":"x"}})");
  CHECK(cluster.grants() == bound);
  cluster.put(kClusterRoles, "", role_text("reader", kReadLogs));
  CHECK_FALSE(allows(*cluster.grants()));
  cluster.put(kClusterRoles, "", role_text("reader", kReadPods));
  CHECK(allows(*cluster.grants()));
  cluster.remove(kRoleBindings, "default", "a");
  CHECK_FALSE(allows(*cluster.grants()));
  CHECK(allows(*bound));
}

}  // namespace
}  // namespace tabernetes::auth
