#include "auth/bootstrap_roles.h"

#include "auth/bootstrap_roles_text.h"
#include "base/text/parts.h"
#include "role_fixture.h"

namespace tabernetes::auth {
namespace {

// A cluster with the initial roles and bindings only.
class BootstrapFixture : public tests::RegistryFixture {
 public:
  BootstrapFixture() {
    const std::string manifest = bootstrap_roles_manifest();
    std::string_view left = manifest;
    while (!left.empty()) add(take_part(left, '\n'));
  }
  Decision decide(const Attributes& wanted) {
    return roles_.current(store, registry.resources())->authorize(wanted);
  }

 private:
  void add(std::string_view document) {
    const codec::JsonRead read = codec::read_json(document, arena);
    REQUIRE(read.ok());
    const std::string kind(read.value.string_at("kind"));
    const Resource& resource = kind == "Role"          ? kRoles
                               : kind == "RoleBinding" ? kRoleBindings
                               : kind == "ClusterRole" ? kClusterRoles
                                                       : kClusterRoleBindings;
    // create() validates what the roles say.
    REQUIRE(create(resource, text_at(read.value, {"metadata", "namespace"}), document) == "");
  }

  Roles roles_;
};

TEST_CASE("bootstrap roles: are valid, and as many as kube-apiserver's", "[auth]") {
  BootstrapFixture cluster;
  const auto count = [&](const tests::RegistryFixture::Resource& resource) {
    std::size_t objects = 0;
    cluster.registry.each_object(resource, cluster.arena, [&](const json::Value&) { ++objects; });
    return objects;
  };
  std::size_t roles = 0;
  std::string_view left = bootstrap_roles_text();
  while (!left.empty()) roles += take_part(left, '\n').starts_with(' ') ? 0 : 1;
  CHECK(count(kClusterRoles) + count(kRoles) == roles);
  CHECK(cluster.names(kRoles, "kube-system") ==
        "extension-apiserver-authentication-reader system::leader-locking-kube-controller-manager "
        "system::leader-locking-kube-scheduler system:controller:bootstrap-signer "
        "system:controller:cloud-provider system:controller:token-cleaner");
  CHECK(cluster.names(kRoleBindings, "kube-system") ==
        "system::extension-apiserver-authentication-reader "
        "system::leader-locking-kube-controller-manager system::leader-locking-kube-scheduler "
        "system:controller:bootstrap-signer system:controller:cloud-provider "
        "system:controller:token-cleaner");
  CHECK(cluster.names(kRoles, "kube-public") == "system:controller:bootstrap-signer");
}

TEST_CASE("bootstrap roles: a role and its binding as they are written", "[auth]") {
  BootstrapFixture cluster;
  const auto role = [&](std::string_view name, std::string_view path) {
    return cluster.stored(kClusterRoles, "", name, path);
  };
  CHECK(role("system:aggregate-to-edit", "metadata.labels") ==
        R"({"kubernetes.io/bootstrapping":"rbac-defaults",)"
        R"("rbac.authorization.k8s.io/aggregate-to-edit":"true"})");
  CHECK(role("edit", "metadata.labels") ==
        R"({"kubernetes.io/bootstrapping":"rbac-defaults",)"
        R"("rbac.authorization.k8s.io/aggregate-to-admin":"true"})");
  CHECK(role("edit", "metadata.annotations") ==
        R"({"rbac.authorization.kubernetes.io/autoupdate":"true"})");
  CHECK(role("edit", "aggregationRule") ==
        R"({"clusterRoleSelectors":[{"matchLabels":)"
        R"({"rbac.authorization.k8s.io/aggregate-to-edit":"true"}}]})");
  CHECK(role("system:monitoring", "rules") ==
        R"([{"verbs":["get"],"nonResourceURLs":["/flagz","/healthz","/healthz/*","/livez",)"
        R"("/livez/*","/metrics","/metrics/slis","/readyz","/readyz/*","/statusz"]},)"
        R"({"verbs":["get"],"apiGroups":[""],"resources":["nodes/metrics"]}])");
  const auto binding = [&](std::string_view name, std::string_view path) {
    return cluster.stored(kClusterRoleBindings, "", name, path);
  };
  CHECK(binding("cluster-admin", "subjects") ==
        R"([{"kind":"Group","apiGroup":"rbac.authorization.k8s.io","name":"system:masters"}])");
  CHECK(binding("system:kube-dns", "subjects") ==
        R"([{"kind":"ServiceAccount","name":"kube-dns","namespace":"kube-system"}])");
  CHECK(
      binding("system:kube-dns", "roleRef") ==
      R"({"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"system:kube-dns"})");
  // Its binding has no subjects, so nodes have no permissions by it.
  CHECK(cluster.exists(kClusterRoleBindings, "", "system:node"));
  CHECK(binding("system:node", "subjects") == "");
  // A role that nobody has is not bound.
  CHECK_FALSE(cluster.exists(kClusterRoleBindings, "", "system:node-bootstrapper"));
}

TEST_CASE("bootstrap roles: who may do what at first", "[auth]") {
  BootstrapFixture cluster;
  struct Case {
    std::string_view user, group, verb, resource_group, resource, ns, name;
    bool allowed;
  };
  const Case cases[] = {
      {"anna", "system:authenticated", "create", "authorization.k8s.io", "selfsubjectaccessreviews",
       "", "", true},
      {"anna", "system:authenticated", "create", "authorization.k8s.io", "subjectaccessreviews", "",
       "", false},
      {"anna", "system:authenticated", "get", "", "pods", "default", "web", false},
      {"system:anonymous", "system:unauthenticated", "create", "authorization.k8s.io",
       "selfsubjectaccessreviews", "", "", false},
      {"system:kube-scheduler", "", "create", "", "pods/binding", "default", "web", true},
      {"system:kube-scheduler", "", "delete", "", "nodes", "", "n", false},
      {"system:kube-scheduler", "", "update", "coordination.k8s.io", "leases", "kube-system", "x",
       true},
      {"system:kube-scheduler", "", "update", "coordination.k8s.io", "leases", "default", "x",
       false},
      {"system:serviceaccount:kube-system:namespace-controller", "", "delete", "", "namespaces", "",
       "x", true},
      {"system:serviceaccount:default:namespace-controller", "", "delete", "", "namespaces", "",
       "x", false},
      {"system:node:n", "system:nodes", "get", "", "nodes", "", "n", false},
  };
  for (const Case& c : cases) {
    INFO(c.user << " " << c.verb << " " << c.resource << " " << c.ns << "/" << c.name);
    const User user = user_called(std::string(c.user), {std::string(c.group)});
    Attributes wanted{.user = user, .verb = c.verb};
    std::string_view subresource = c.resource;
    wanted.resource = take_part(subresource, '/');
    wanted.subresource = subresource;
    wanted.group = c.resource_group;
    wanted.ns = c.ns;
    wanted.name = c.name;
    CHECK((cluster.decide(wanted).verdict == Verdict::kAllow) == c.allowed);
  }
}

TEST_CASE("bootstrap roles: which paths anyone may get", "[auth]") {
  BootstrapFixture cluster;
  const User nobody = anonymous_user();
  const User somebody = user_called("anna", {"system:authenticated"});
  const auto allowed = [&](const User& user, std::string_view path) {
    Attributes wanted{.user = user, .verb = "get", .on_resource = false};
    wanted.path = path;
    return cluster.decide(wanted).verdict == Verdict::kAllow;
  };
  for (const std::string_view path : {"/healthz", "/livez", "/readyz", "/version", "/version/"}) {
    CHECK(allowed(nobody, path));
  }
  for (const std::string_view path : {"/api", "/apis/apps/v1", "/openapi/v3"}) {
    CHECK_FALSE(allowed(nobody, path));
    CHECK(allowed(somebody, path));
  }
  for (const std::string_view path : {"/metrics", "/healthz/ping", "/"}) {
    CHECK_FALSE(allowed(nobody, path));
    CHECK_FALSE(allowed(somebody, path));
  }
}

}  // namespace
}  // namespace tabernetes::auth
