#include "server/cluster/bootstrap.h"

#include <cassert>
#include <string>

#include "auth/bootstrap_roles.h"
#include "base/time/rfc3339.h"
#include "server/cluster/api_service_objects.h"
#include "server/cluster/flow_control_objects.h"
#include "server/cluster/load.h"

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

// Returns a ready node as a kubelet would have registered it.
std::string node_manifest(int number, Time now) {
  const std::string name = "node-" + std::to_string(number);
  const std::string time = format_rfc3339(now);
  const std::string subnet = std::to_string(number % 256);
  return R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": ")" + name +
         R"(", "labels": {"kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux",
"kubernetes.io/hostname": ")" +
         name + R"("}}, "spec": {"podCIDR": "10.244.)" + subnet + R"(.0/24"}, "status": {
"capacity": {"cpu": "8", "memory": "32Gi", "pods": "110"},
"allocatable": {"cpu": "8", "memory": "32Gi", "pods": "110"},
"addresses": [{"type": "InternalIP", "address": "192.168.1.)" +
         subnet + R"("}, {"type": "Hostname", "address": ")" + name + R"("}],
"conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady",
"message": "kubelet is posting ready status", "lastHeartbeatTime": ")" +
         time + R"(", "lastTransitionTime": ")" + time + R"("}],
"nodeInfo": {"architecture": "amd64", "bootID": "", "containerRuntimeVersion": "containerd://2.1.0",
"kernelVersion": "6.12.0", "kubeProxyVersion": "", "kubeletVersion": "v1.36.2", "machineID": "",
"operatingSystem": "linux", "osImage": "tabernetes", "systemUUID": ""}}})";
}

void load_own(Cluster& cluster, std::string_view manifest, std::string_view manager) {
  const std::vector<LoadFault> faults =
      load_manifest(cluster, manifest, manager, ExistingObjects::kKeep);
  assert(faults.empty());
  (void)faults;
}

}  // namespace

void create_initial_objects(Cluster& cluster) {
  load_own(cluster, kFreshCluster, "kube-apiserver");
  load_own(cluster, api_services_manifest(), "kube-apiserver");
  load_own(cluster, flow_control_manifest(), kFlowControlProducer);
  if (cluster.server->options.authorization == Authorization::kRbac) {
    load_own(cluster, auth::bootstrap_roles_manifest(), "kube-apiserver");
  }
  for (int number = 1; number <= cluster.server->options.nodes; ++number) {
    load_own(cluster, node_manifest(number, cluster.now), "kubelet");
  }
}

}  // namespace tabernetes::server
