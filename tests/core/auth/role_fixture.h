// A cluster with some roles, for tests of what they grant.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../registry_fixture.h"
#include "auth/rbac.h"

namespace tabernetes::auth {

inline constexpr std::string_view kRbacGroup = "rbac.authorization.k8s.io";
inline constexpr tests::RegistryFixture::Resource kRoles{kRbacGroup, "v1", "roles"};
inline constexpr tests::RegistryFixture::Resource kRoleBindings{kRbacGroup, "v1", "rolebindings"};
inline constexpr tests::RegistryFixture::Resource kClusterRoles{kRbacGroup, "v1", "clusterroles"};
inline constexpr tests::RegistryFixture::Resource kClusterRoleBindings{kRbacGroup, "v1",
                                                                       "clusterrolebindings"};

inline User user_called(std::string name, std::vector<std::string> groups = {}) {
  return {.name = std::move(name), .uid = {}, .groups = std::move(groups), .extra = {}};
}

inline std::string role_text(std::string_view name, std::string_view rules) {
  return R"({"metadata":{"name":")" + std::string(name) + R"("},"rules":[)" + std::string(rules) +
         "]}";
}

// `role` is KIND/NAME; `subjects` is JSON without brackets.
inline std::string binding_text(std::string_view name, std::string_view role,
                                std::string_view subjects) {
  const std::size_t slash = role.find('/');
  return R"({"metadata":{"name":")" + std::string(name) +
         R"("},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":")" +
         std::string(role.substr(0, slash)) + R"(","name":")" +
         std::string(role.substr(slash + 1)) + R"("},"subjects":[)" + std::string(subjects) + "]}";
}

inline constexpr std::string_view kAnna =
    R"({"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"anna"})";
inline constexpr std::string_view kStaff =
    R"({"kind":"Group","apiGroup":"rbac.authorization.k8s.io","name":"staff"})";
inline constexpr std::string_view kReadPods =
    R"({"verbs":["get","list"],"apiGroups":[""],"resources":["pods"]})";
inline constexpr std::string_view kReadLogs =
    R"({"verbs":["get"],"apiGroups":[""],"resources":["pods/log"]})";
inline constexpr std::string_view kReadHealth =
    R"({"verbs":["get"],"nonResourceURLs":["/healthz"]})";

// There are the cluster roles `reader` and `prober`, the role `logger` of `default`, and the
// namespace `other`; nothing is bound.
class RoleFixture : public tests::RegistryFixture {
 public:
  RoleFixture() {
    put({"", "v1", "namespaces"}, "", R"({"metadata":{"name":"other"}})");
    put(kClusterRoles, "", role_text("reader", kReadPods));
    put(kClusterRoles, "", role_text("prober", kReadHealth));
    put(kRoles, "default", role_text("logger", kReadLogs));
  }

  std::shared_ptr<const Grants> grants() { return roles.current(store, registry.resources()); }
  Decision decide(const User& user, std::string_view verb, std::string_view resource,
                  std::string_view ns, std::string_view subresource = {}) {
    Attributes wanted{.user = user, .verb = verb};
    wanted.version = "v1";
    wanted.resource = resource;
    wanted.subresource = subresource;
    wanted.ns = ns;
    return grants()->authorize(wanted);
  }
  Decision decide_path(const User& user, std::string_view path) {
    Attributes wanted{.user = user, .verb = "get", .on_resource = false};
    wanted.path = path;
    return grants()->authorize(wanted);
  }

  Roles roles;
};

}  // namespace tabernetes::auth
