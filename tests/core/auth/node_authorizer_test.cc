#include "auth/node_authorizer.h"

#include "../registry_fixture.h"

namespace tabernetes::auth {
namespace {

constexpr std::string_view kUnrelated = "no relationship found between node 'n1' and this object";

// The node n1 runs the pod `web` of `default`, n2 the pod `other`; `mirror` is a pod that n1 made.
class NodeFixture : public tests::RegistryFixture {
 public:
  NodeFixture() {
    put({"", "v1", "pods"}, "default",
        R"({"metadata":{"name":"web"},"spec":{"nodeName":"n1","serviceAccountName":"runner",)"
        R"("imagePullSecrets":[{"name":"pull"}],)"
        R"("initContainers":[{"name":"i","envFrom":[{"secretRef":{"name":"env"}}]}],)"
        R"("containers":[{"name":"c","env":[)"
        R"({"name":"A","valueFrom":{"configMapKeyRef":{"name":"key","key":"k"}}}]}],)"
        R"("volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"claim"}},)"
        R"({"name":"tmp","ephemeral":{"volumeClaimTemplate":{"spec":{}}}},)"
        R"({"name":"iscsi","iscsi":{"targetPortal":"p","iqn":"q","lun":1,)"
        R"("secretRef":{"name":"chap"}}},)"
        R"({"name":"all","projected":{"sources":[{"secret":{"name":"part"}},)"
        R"({"configMap":{"name":"piece"}}]}}],)"
        R"("resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"t"},)"
        R"({"name":"nic","resourceClaimName":"shared"}]},)"
        R"("status":{"resourceClaimStatuses":[{"name":"gpu","resourceClaimName":"made"}]}})");
    put({"", "v1", "pods"}, "default",
        R"({"metadata":{"name":"other"},"spec":{"nodeName":"n2","containers":[{"name":"c",)"
        R"("envFrom":[{"secretRef":{"name":"foreign"}}]}]}})");
    put({"", "v1", "pods"}, "default",
        R"({"metadata":{"name":"mirror","annotations":{"kubernetes.io/config.mirror":"m"}},)"
        R"("spec":{"nodeName":"n1","serviceAccountName":"stolen","containers":[{"name":"c",)"
        R"("envFrom":[{"secretRef":{"name":"stolen"}}]}]}})");
    put({"", "v1", "persistentvolumes"}, "",
        R"({"metadata":{"name":"pv"},"spec":{"claimRef":{"namespace":"default","name":"claim"},)"
        R"("csi":{"driver":"d","volumeHandle":"h",)"
        R"("nodeStageSecretRef":{"namespace":"storage","name":"stage"},)"
        R"("controllerPublishSecretRef":{"namespace":"storage","name":"control"}}}})");
    put({"", "v1", "persistentvolumes"}, "",
        R"({"metadata":{"name":"free"},"spec":{"rbd":{"monitors":["m"],"image":"i",)"
        R"("secretRef":{"name":"pull2"}}}})");
    put({"storage.k8s.io", "v1", "volumeattachments"}, "",
        R"({"metadata":{"name":"attached"},"spec":{"attacher":"a","nodeName":"n1",)"
        R"("source":{"persistentVolumeName":"pv"}}})");
    put({"resource.k8s.io", "v1", "resourceslices"}, "",
        R"({"metadata":{"name":"slice"},"spec":{"driver":"d","nodeName":"n1",)"
        R"("pool":{"name":"p","generation":1,"resourceSliceCount":1}}})");
  }

  // `what` is GROUP/RESOURCE[/SUBRESOURCE], `ns_name` NAMESPACE/NAME.
  Decision decide(std::string_view verb, std::string what, std::string ns_name,
                  std::string_view selector = {}, bool certificates = false) const {
    const auto cut = [](std::string& text) {
      const std::size_t slash = text.find('/');
      std::string first = text.substr(0, slash);
      text = slash == std::string::npos ? "" : text.substr(slash + 1);
      return first;
    };
    const std::string group = cut(what), resource = cut(what), ns = cut(ns_name);
    Attributes wanted{.user = user, .verb = verb};
    wanted.group = group;
    wanted.resource = resource;
    wanted.subresource = what;
    wanted.ns = ns;
    wanted.name = ns_name;
    wanted.field_selector = selector;
    return NodeAuthorizer(store.snapshot().tree, resources, certificates).authorize(wanted);
  }
  // Returns "yes", or the reason.
  std::string answer(std::string_view verb, const std::string& what, const std::string& ns_name,
                     std::string_view selector = {}) const {
    const Decision decision = decide(verb, what, ns_name, selector);
    CHECK(decision.verdict != Verdict::kDeny);
    CHECK(decision.error == "");
    return decision.verdict == Verdict::kAllow ? "yes" : decision.reason;
  }

  User user{.name = "system:node:n1", .uid = {}, .groups = {"system:nodes"}, .extra = {}};
};

TEST_CASE("node authorizer: only nodes", "[auth]") {
  NodeFixture cluster;
  CHECK(cluster.answer("get", "/nodes", "/n1") == "yes");
  cluster.user.name = "system:node:";
  CHECK(cluster.answer("get", "/nodes", "/n1") == R"(unknown node for user "system:node:")");
  cluster.user = {.name = "system:node:n1", .uid = {}, .groups = {"a"}, .extra = {}};
  CHECK(cluster.answer("get", "/nodes", "/n1") == "");
  cluster.user = {.name = "n1", .uid = {}, .groups = {"system:nodes"}, .extra = {}};
  CHECK(cluster.answer("get", "/nodes", "/n1") == "");
}

TEST_CASE("node authorizer: what its pods refer to", "[auth]") {
  const NodeFixture cluster;
  for (const char* name : {"pull", "env", "chap", "part"}) {
    INFO(name);
    CHECK(cluster.answer("get", "/secrets", std::string("default/") + name) == "yes");
    CHECK(cluster.answer("watch", "/secrets", std::string("default/") + name) == "yes");
    CHECK(cluster.answer("get", "/configmaps", std::string("default/") + name) == kUnrelated);
    CHECK(cluster.answer("get", "/secrets", std::string("else/") + name) == kUnrelated);
  }
  for (const char* name : {"foreign", "stolen", "key", "none", "pull2"}) {
    INFO(name);
    CHECK(cluster.answer("get", "/secrets", std::string("default/") + name) == kUnrelated);
  }
  CHECK(cluster.answer("list", "/configmaps", "default/key") == "yes");
  CHECK(cluster.answer("get", "/configmaps", "default/piece") == "yes");
  CHECK(cluster.answer("list", "/secrets", "default/") == "No Object name found");
  CHECK(cluster.answer("list", "/secrets", "/") == "can only read namespaced object of this type");
  CHECK(cluster.answer("delete", "/secrets", "default/pull") ==
        "can only read resources of this type");
  CHECK(cluster.answer("get", "/secrets/x", "default/pull") == "cannot read subresource");
}

TEST_CASE("node authorizer: volumes and claims", "[auth]") {
  const NodeFixture cluster;
  CHECK(cluster.answer("get", "/persistentvolumeclaims", "default/claim") == "yes");
  CHECK(cluster.answer("get", "/persistentvolumeclaims", "default/web-tmp") == "yes");
  CHECK(cluster.answer("get", "/persistentvolumeclaims", "default/free") == kUnrelated);
  CHECK(cluster.answer("patch", "/persistentvolumeclaims/status", "default/claim") == "yes");
  CHECK(cluster.answer("get", "/persistentvolumeclaims/status", "default/claim") ==
        "can only get/update/patch this type");
  CHECK(cluster.answer("list", "/persistentvolumeclaims", "default/") ==
        "can only get individual resources of this type");
  CHECK(cluster.answer("get", "/persistentvolumes", "/pv") == "yes");
  CHECK(cluster.answer("get", "/persistentvolumes", "/free") == kUnrelated);
  CHECK(cluster.answer("get", "/persistentvolumes", "/none") == kUnrelated);
  CHECK(cluster.answer("get", "/persistentvolumes/status", "/pv") == "cannot get subresource");
  CHECK(cluster.answer("get", "/secrets", "storage/stage") == "yes");
  CHECK(cluster.answer("get", "/secrets", "default/stage") == kUnrelated);
  CHECK(cluster.answer("get", "/secrets", "storage/control") == kUnrelated);
  CHECK(cluster.answer("get", "storage.k8s.io/volumeattachments", "/attached") == "yes");
  CHECK(cluster.answer("get", "storage.k8s.io/volumeattachments", "/none") == kUnrelated);
  CHECK(cluster.answer("get", "resource.k8s.io/resourceclaims", "default/made") == "yes");
  CHECK(cluster.answer("get", "resource.k8s.io/resourceclaims", "default/shared") == "yes");
  CHECK(cluster.answer("get", "resource.k8s.io/resourceclaims", "default/t") == kUnrelated);
}

TEST_CASE("node authorizer: service accounts", "[auth]") {
  const NodeFixture cluster;
  CHECK(cluster.answer("create", "/serviceaccounts/token", "default/runner") == "yes");
  CHECK(cluster.answer("get", "/serviceaccounts", "default/runner") == "yes");
  CHECK(cluster.answer("create", "/serviceaccounts/token", "default/stolen") == kUnrelated);
  CHECK(cluster.answer("list", "/serviceaccounts", "default/runner") ==
        "can only create tokens for individual service accounts");
  CHECK(cluster.answer("create", "/serviceaccounts", "default/runner") ==
        "can only create token subresource of serviceaccount");
}

TEST_CASE("node authorizer: its own objects", "[auth]") {
  const NodeFixture cluster;
  const std::string leases = "coordination.k8s.io/leases", csi = "storage.k8s.io/csinodes";
  CHECK(cluster.answer("update", leases, "kube-node-lease/n1") == "yes");
  CHECK(cluster.answer("create", leases, "kube-node-lease/") == "yes");
  CHECK(cluster.answer("get", leases, "kube-node-lease/n2") ==
        "can only access node lease with the same name as the requesting node");
  CHECK(cluster.answer("get", leases, "default/n1") ==
        R"(can only access leases in the "kube-node-lease" system namespace)");
  CHECK(cluster.answer("list", leases, "kube-node-lease/") ==
        "can only get, create, update, patch, or delete a node lease");
  CHECK(cluster.answer("delete", csi, "/n1") == "yes");
  CHECK(cluster.answer("delete", csi, "/n2") ==
        "can only access CSINode with the same name as the requesting node");
  CHECK(cluster.answer("get", csi + "/x", "/n1") == "cannot authorize CSINode subresources");
  CHECK(cluster.answer("watch", csi, "/n1") ==
        "can only get, create, update, patch, or delete a CSINode");
  CHECK(cluster.answer("list", "/nodes", "/") ==
        "node 'n1' cannot read all nodes, only its own Node object");
  CHECK(cluster.answer("get", "/nodes", "/n2") ==
        "node 'n1' cannot read 'n2', only its own Node object");
  CHECK(cluster.answer("patch", "/nodes", "/n2") == "yes");
  CHECK(cluster.answer("patch", "/nodes/status", "/n1") == "yes");
  CHECK(cluster.answer("delete", "/nodes", "/n1") == "");
  CHECK(cluster.answer("get", "/nodes/proxy", "/n1") == "");
}

TEST_CASE("node authorizer: pods and what is selected by node", "[auth]") {
  const NodeFixture cluster;
  CHECK(cluster.answer("get", "/pods", "default/web") == "yes");
  CHECK(cluster.answer("get", "/pods", "default/mirror") == "yes");
  CHECK(cluster.answer("get", "/pods", "default/other") == kUnrelated);
  CHECK(cluster.answer("watch", "/pods", "default/web") == "yes");
  CHECK(cluster.answer("list", "/pods", "/", "status.phase=Running,spec.nodeName=n1") == "yes");
  for (const char* selector : {"", "spec.nodeName=n2", "spec.nodeName!=n1", "spec.nodeName"}) {
    CHECK(cluster.answer("list", "/pods", "/", selector) ==
          "can only list/watch pods with spec.nodeName field selector");
  }
  CHECK(cluster.answer("create", "/pods", "default/") == "yes");
  CHECK(cluster.answer("update", "/pods", "default/web") == "");
  CHECK(cluster.answer("create", "/pods/eviction", "default/web") == "yes");
  CHECK(cluster.answer("create", "/pods/binding", "default/web") == "");
  CHECK(cluster.answer("update", "/pods/status", "default/web") == "yes");
  const std::string slices = "resource.k8s.io/resourceslices";
  CHECK(cluster.answer("create", slices, "/") == "yes");
  CHECK(cluster.answer("delete", slices, "/slice") == "yes");
  CHECK(cluster.answer("delete", slices, "/none") == kUnrelated);
  CHECK(cluster.answer("list", slices, "/", "spec.nodeName=n1") == "yes");
  CHECK(cluster.answer("deletecollection", slices, "/") ==
        "can only list/watch/deletecollection resourceslices with nodeName field selector");
  CHECK(cluster.answer("get", slices + "/status", "/slice") ==
        "cannot authorize ResourceSlice subresources");
}

TEST_CASE("node authorizer: the rest as the role system:node says", "[auth]") {
  const NodeFixture cluster;
  CHECK(cluster.answer("list", "/services", "/") == "yes");
  CHECK(cluster.answer("delete", "/services", "default/a") == "");
  CHECK(cluster.answer("create", "events.k8s.io/events", "default/") == "yes");
  CHECK(cluster.answer("create", "/events", "default/") == "yes");
  CHECK(cluster.answer("create", "authentication.k8s.io/tokenreviews", "/") == "yes");
  CHECK(cluster.answer("get", "node.k8s.io/runtimeclasses", "/a") == "yes");
  CHECK(cluster.answer("get", "apps/deployments", "default/a") == "");
  CHECK(cluster.answer("create", "certificates.k8s.io/podcertificaterequests", "default/") == "");
  CHECK(cluster.decide("create", "certificates.k8s.io/podcertificaterequests", "default/", {}, true)
            .verdict == Verdict::kAllow);
  CHECK(
      cluster.decide("delete", "certificates.k8s.io/podcertificaterequests", "default/a", {}, true)
          .reason == "nodes may not delete podcertificaterequests");
}

TEST_CASE("node authorizer: rules cannot be listed", "[auth]") {
  NodeFixture cluster;
  const NodeAuthorizer authorizer(cluster.store.snapshot().tree, cluster.resources, false);
  const Rules rules = authorizer.rules_for(cluster.user, "default", cluster.arena);
  CHECK(rules.incomplete);
  CHECK(rules.error == "node authorizer does not support user rule resolution");
  cluster.user.groups.clear();
  CHECK_FALSE(authorizer.rules_for(cluster.user, "default", cluster.arena).incomplete);
}

}  // namespace
}  // namespace tabernetes::auth
