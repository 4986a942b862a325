#include "server/cluster/bootstrap.h"

#include <cassert>
#include <string>

#include "auth/bootstrap_roles.h"
#include "base/go/text.h"
#include "base/time/rfc3339.h"
#include "controllers/kubelet/registered_node.h"
#include "server/cluster/api_service_objects.h"
#include "server/cluster/flow_control_objects.h"
#include "server/cluster/load.h"
#include "server/cluster/reconcile_roles.h"

namespace tabernetes::server {
namespace {

// The manifests are JSON: every cluster begins with them, and a WebAssembly module that has just
// been loaded would have to compile the YAML reader first.
constexpr std::string_view kFreshCluster = R"(
{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}}
{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kube-node-lease"}}
{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kube-public"}}
{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kube-system"}}
{
  "apiVersion": "v1",
  "kind": "Service",
  "metadata": {
    "name": "kubernetes",
    "namespace": "default",
    "labels": {"component": "apiserver", "provider": "kubernetes"}
  },
  "spec": {
    "ports": [{"name": "https", "protocol": "TCP", "port": 443, "targetPort": 6443}],
    "clusterIP": "10.96.0.1",
    "type": "ClusterIP",
    "sessionAffinity": "None",
    "ipFamilyPolicy": "SingleStack",
    "internalTrafficPolicy": "Cluster"
  }
}
{
  "apiVersion": "scheduling.k8s.io/v1",
  "kind": "PriorityClass",
  "metadata": {"name": "system-node-critical"},
  "value": 2000001000,
  "description": "Used for system critical pods that must not be moved from their current node."
}
{
  "apiVersion": "scheduling.k8s.io/v1",
  "kind": "PriorityClass",
  "metadata": {"name": "system-cluster-critical"},
  "value": 2000000000,
  "description": "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary."
}
)";

constexpr std::string_view kMetricsService = R"({
"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
"metadata": {"name": "v1beta1.metrics.k8s.io", "labels": {"k8s-app": "metrics-server"}},
"spec": {
  "group": "metrics.k8s.io", "version": "v1beta1", "insecureSkipTLSVerify": true,
  "groupPriorityMinimum": 100, "versionPriority": 100,
  "service": {"namespace": "kube-system", "name": "metrics-server", "port": 443}},
"status": {"conditions": [{
  "type": "Available", "status": "True", "lastTransitionTime": "$NOW", "reason": "Passed",
  "message": "all checks passed"}]}})";

std::string metrics_service(Time now) {
  std::string text(kMetricsService);
  text.replace(text.find("$NOW"), 4, format_rfc3339(now));
  return text;
}

// Returns what aggregated API servers need to know: whom to believe the headers that name a user.
std::string authentication_map(const Options& options) {
  std::string text = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":)"
                     R"("extension-apiserver-authentication","namespace":"kube-system"},"data":{)";
  if (!options.user_authority.empty()) {
    text += "\"client-ca-file\":" + go_quote(options.user_authority) + ",";
  }
  text +=
      R"("requestheader-allowed-names":"[\"front-proxy-client\"]","requestheader-client-ca-file":)" +
      go_quote(options.front_proxy_authority);
  text += R"(,"requestheader-extra-headers-prefix":"[\"X-Remote-Extra-\"]",)"
          R"("requestheader-group-headers":"[\"X-Remote-Group\"]",)"
          R"("requestheader-uid-headers":"[\"X-Remote-Uid\"]",)"
          R"("requestheader-username-headers":"[\"X-Remote-User\"]"}})";
  return text;
}

void load_own(Cluster& cluster, std::string_view manifest, std::string_view manager) {
  const std::vector<LoadFault> faults =
      load_manifest(cluster, manifest, manager, ExistingObjects::kKeep);
  assert(faults.empty());
  (void)faults;
}

}  // namespace

void create_initial_objects(Cluster& cluster) {
  const bool goes_on = cluster.store.tree().size() > 0;
  load_own(cluster, kFreshCluster, "kube-apiserver");
  load_own(cluster, api_services_manifest(), "kube-apiserver");
  load_own(cluster, flow_control_manifest(), kFlowControlProducer);
  if (cluster.measures()) load_own(cluster, metrics_service(cluster.now), "kube-apiserver");
  if (!cluster.server->options.front_proxy_authority.empty()) {
    load_own(cluster, authentication_map(cluster.server->options), "kube-apiserver");
  }
  if (cluster.uses_rbac()) {
    const std::string roles = auth::bootstrap_roles_manifest();
    if (goes_on) reconcile_roles(cluster, roles);
    load_own(cluster, roles, "kube-apiserver");
  }
  for (int number = 1; number <= cluster.server->options.nodes; ++number) {
    load_own(cluster, controllers::kubelet::registered_node(number, cluster.now), "kubelet");
  }
}

}  // namespace tabernetes::server
