#include "server/cluster/reconcile_roles.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/json_writer.h"
#include "registry/objects/object_record.h"
#include "server/cluster/bootstrap.h"
#include "server/cluster/load.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kRbacGroup = "rbac.authorization.k8s.io";

Options rbac_options() {
  Options options;
  options.seed = 7;
  options.authorization = {Authorization::kRbac};
  return options;
}

// Returns a member of an object of rbac.authorization.k8s.io/v1 as JSON; "" if it has none.
std::string member(const Cluster& cluster, std::string_view plural, std::string_view name,
                   std::string_view key, std::string_view inner = {}) {
  const registry::ResourceType& type = *cluster.registry.resources().find(kRbacGroup, "v1", plural);
  const store::RecordPtr record = cluster.store.get(type.key({}, name));
  REQUIRE(record);
  json::Arena arena;
  const json::Value object = registry::read_object(type, *record, arena);
  const json::Value* value = object.find(key);
  if (value != nullptr && !inner.empty()) value = value->find(inner);
  std::string text;
  if (value != nullptr) codec::write_json(*value, text);
  return text;
}

void change(Cluster& cluster, std::string_view manifest) {
  const auto faults = load_manifest(cluster, manifest);
  for (const LoadFault& fault : faults) FAIL_CHECK(fault.fault.message);
}

TEST_CASE("default roles: what is missing is added, the rest stays", "[server]") {
  Cluster cluster(rbac_options());
  create_initial_objects(cluster);
  change(cluster, R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole",
"metadata":{"name":"system:basic-user","labels":{"mine":"1"}},
"rules":[{"verbs":["create"],"apiGroups":["authorization.k8s.io"],
"resources":["selfsubjectaccessreviews"]},{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}]})");
  change(cluster, R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole",
"metadata":{"name":"view"},"rules":[]})");
  create_initial_objects(cluster);
  CHECK(member(cluster, "clusterroles", "system:basic-user", "rules") ==
        R"([{"verbs":["create"],"apiGroups":["authorization.k8s.io"],)"
        R"("resources":["selfsubjectaccessreviews"]},)"
        R"({"verbs":["get"],"apiGroups":[""],"resources":["pods"]},)"
        R"({"verbs":["create"],"apiGroups":["authorization.k8s.io"],)"
        R"("resources":["selfsubjectrulesreviews"]},)"
        R"({"verbs":["create"],"apiGroups":["authentication.k8s.io"],)"
        R"("resources":["selfsubjectreviews"]}])");
  CHECK(member(cluster, "clusterroles", "system:basic-user", "metadata", "labels") ==
        R"({"kubernetes.io/bootstrapping":"rbac-defaults","mine":"1"})");
  CHECK(member(cluster, "clusterroles", "system:basic-user", "metadata", "annotations") ==
        R"({"rbac.authorization.kubernetes.io/autoupdate":"true"})");
  CHECK(member(cluster, "clusterroles", "view", "aggregationRule") ==
        R"({"clusterRoleSelectors":[{"matchLabels":)"
        R"({"rbac.authorization.k8s.io/aggregate-to-view":"true"}}]})");
}

TEST_CASE("default roles: bindings get their subjects, and their role", "[server]") {
  Cluster cluster(rbac_options());
  create_initial_objects(cluster);
  change(cluster, R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding",
"metadata":{"name":"system:basic-user"},
"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"system:basic-user"},
"subjects":[{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"me"}]})");
  change(cluster, R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding",
"metadata":{"name":"system:discovery"},
"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"view"},
"subjects":[]})");
  create_initial_objects(cluster);
  CHECK(
      member(cluster, "clusterrolebindings", "system:basic-user", "subjects") ==
      R"([{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"me"},)"
      R"({"kind":"Group","apiGroup":"rbac.authorization.k8s.io","name":"system:authenticated"}])");
  CHECK(member(cluster, "clusterrolebindings", "system:discovery", "roleRef", "name") ==
        R"("system:discovery")");
  CHECK(
      member(cluster, "clusterrolebindings", "system:discovery", "subjects") ==
      R"([{"kind":"Group","apiGroup":"rbac.authorization.k8s.io","name":"system:authenticated"}])");
}

TEST_CASE("default roles: an object may forbid it", "[server]") {
  Cluster cluster(rbac_options());
  create_initial_objects(cluster);
  change(cluster, R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole",
"metadata":{"name":"view","annotations":{"rbac.authorization.kubernetes.io/autoupdate":"false"}},
"rules":[]})");
  create_initial_objects(cluster);
  CHECK(member(cluster, "clusterroles", "view", "aggregationRule").empty());
}

TEST_CASE("default roles: of the same server nothing is written", "[server]") {
  Cluster cluster(rbac_options());
  create_initial_objects(cluster);
  const store::Revision before = cluster.store.revision();
  create_initial_objects(cluster);
  CHECK(cluster.store.revision() == before);
}

}  // namespace
}  // namespace tabernetes::server
