#include "controllers/run/loop_table.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "base/text/parts.h"
#include "controllers/access/bootstrap_tokens.h"
#include "controllers/access/certificate_approval.h"
#include "controllers/access/certificate_request_cleaner.h"
#include "controllers/access/certificate_signing.h"
#include "controllers/access/legacy_token_cleaner.h"
#include "controllers/access/service_account_tokens.h"
#include "controllers/api/policy_status.h"
#include "controllers/api/role_aggregation.h"
#include "controllers/apps/daemon_set.h"
#include "controllers/apps/deployment.h"
#include "controllers/apps/replica_set.h"
#include "controllers/apps/stateful_set.h"
#include "controllers/autoscaling/horizontal.h"
#include "controllers/batch/cron_jobs.h"
#include "controllers/batch/jobs.h"
#include "controllers/batch/ttl_after_finished.h"
#include "controllers/devices/resource_claims.h"
#include "controllers/garbage/garbage_collector.h"
#include "controllers/kubelet/kubelets.h"
#include "controllers/namespaces/namespace_basics.h"
#include "controllers/namespaces/namespace_deletion.h"
#include "controllers/network/endpoint_slice_mirroring.h"
#include "controllers/network/endpoint_slices.h"
#include "controllers/network/endpoints.h"
#include "controllers/network/load_balancers.h"
#include "controllers/nodes/node_ipam.h"
#include "controllers/nodes/node_lifecycle.h"
#include "controllers/nodes/node_ttl.h"
#include "controllers/nodes/pod_garbage_collector.h"
#include "controllers/nodes/taint_eviction.h"
#include "controllers/policy/disruption.h"
#include "controllers/quota/resource_quotas.h"
#include "controllers/storage/attach_detach.h"
#include "controllers/storage/ephemeral_volumes.h"
#include "controllers/storage/persistent_volumes.h"
#include "controllers/storage/protection.h"
#include "controllers/storage/volume_expansion.h"
#include "tabernetes/options.h"

namespace tabernetes {
namespace controllers {
namespace {

template <typename Loop>
std::unique_ptr<ControlLoop> make_loop() {
  return std::make_unique<Loop>();
}

constexpr LoopRow kLoops[] = {
    {"serviceaccount-controller", "serviceaccount", "", &make_loop<ServiceAccounts>},
    {"root-ca-certificate-publisher-controller", "root-ca-cert-publisher", "",
     &make_loop<RootCertificates>},
    {"serviceaccount-token-controller", "serviceaccount-token", "",
     &make_loop<ServiceAccountTokens>},
    {"legacy-serviceaccount-token-cleaner-controller", "legacy-service-account-token-cleaner", "",
     &make_loop<LegacyTokenCleaner>},
    {"bootstrap-signer-controller", "bootstrapsigner", "", &make_loop<BootstrapSigner>, false},
    {"token-cleaner-controller", "tokencleaner", "", &make_loop<TokenCleaner>, false},
    {"garbage-collector-controller", "garbagecollector", "gc", &make_loop<GarbageCollector>},
    {"namespace-controller", "namespace", "", &make_loop<NamespaceDeletion>},
    // Before loops that delete pods for the same taint.
    {"taint-eviction-controller", "", "", &make_loop<TaintEviction>},
    {"replicaset-controller", "replicaset", "", &make_loop<ReplicaSets>},
    {"replicationcontroller-controller", "replicationcontroller", "",
     &make_loop<ReplicationControllers>},
    {"deployment-controller", "deployment", "", &make_loop<Deployments>},
    {"statefulset-controller", "statefulset", "", &make_loop<StatefulSets>},
    {"daemonset-controller", "daemonset", "", &make_loop<DaemonSets>},
    {"disruption-controller", "disruption", "", &make_loop<Disruption>},
    {"clusterrole-aggregation-controller", "clusterrole-aggregation", "",
     &make_loop<RoleAggregation>},
    {"endpoints-controller", "endpoint", "", &make_loop<EndpointsLoop>},
    {"endpointslice-controller", "endpointslice", "", &make_loop<EndpointSliceLoop>},
    {"endpointslice-mirroring-controller", "endpointslicemirroring", "",
     &make_loop<EndpointSliceMirroring>},
    {"service-lb-controller", "service", "", &make_loop<LoadBalancers>},
    {"job-controller", "job", "", &make_loop<Jobs>},
    {"cronjob-controller", "cronjob", "", &make_loop<CronJobs>},
    {"ttl-after-finished-controller", "ttl-after-finished", "", &make_loop<TtlAfterFinished>},
    {"horizontal-pod-autoscaler-controller", "horizontalpodautoscaling", "",
     &make_loop<HorizontalAutoscaling>},
    {"node-lifecycle-controller", "nodelifecycle", "", &make_loop<NodeLifecycle>},
    {"pod-garbage-collector-controller", "podgc", "", &make_loop<PodGarbageCollector>},
    {"node-ipam-controller", "nodeipam", "", &make_loop<NodeIpam>, false},
    {"ttl-controller", "ttl", "", &make_loop<NodeTtl>},
    {"resourcequota-controller", "resourcequota", "", &make_loop<ResourceQuotas>},
    {"persistentvolume-binder-controller", "persistentvolume-binder", "",
     &make_loop<PersistentVolumes>},
    {"persistentvolume-expander-controller", "persistentvolume-expander", "",
     &make_loop<VolumeExpansion>},
    {"persistentvolumeclaim-protection-controller", "pvc-protection", "",
     &make_loop<ClaimProtection>},
    {"persistentvolume-protection-controller", "pv-protection", "", &make_loop<VolumeProtection>},
    {"volumeattributesclass-protection-controller", "", "", &make_loop<AttributesClassProtection>},
    {"ephemeral-volume-controller", "ephemeral-volume", "", &make_loop<EphemeralVolumes>},
    {"resourceclaim-controller", "resource-claim-controller", "", &make_loop<ResourceClaims>},
    {"persistentvolume-attach-detach-controller", "attachdetach", "", &make_loop<AttachDetach>},
    {"validatingadmissionpolicy-status-controller", "", "", &make_loop<PolicyStatus>},
    {"certificatesigningrequest-signing-controller", "csrsigning", "",
     &make_loop<CertificateSigning>},
    {"certificatesigningrequest-approving-controller", "csrapproving", "",
     &make_loop<CertificateApproval>},
    {"certificatesigningrequest-cleaner-controller", "csrcleaner", "",
     &make_loop<CertificateRequestCleaner>},
    {kubelet::kLoopName, "", "", &make_loop<kubelet::Kubelets>},
};
constexpr std::size_t kCount = std::size(kLoops);

// Those of kube-controller-manager's loops that are not there: their names are accepted, so that
// its flags can be taken over. docs/compatibility.md says why each is missing.
constexpr std::string_view kAbsent[] = {
    "cloud-node-lifecycle-controller",
    "cloud-node-lifecycle",
    "device-taint-eviction-controller",
    "kube-apiserver-serving-clustertrustbundle-publisher-controller",
    "node-route-controller",
    "route",
    "podcertificaterequest-cleaner-controller",
    "podgroup-protection-controller",
    "resourcepoolstatusrequest-controller",
    "selinux-warning-controller",
    "service-cidr-controller",
    "storage-version-migrator-controller",
    "svm",
    "storageversion-garbage-collector-controller",
    "storage-version-gc",
};

bool is_absent(std::string_view name) {
  return std::find(std::begin(kAbsent), std::end(kAbsent), name) != std::end(kAbsent);
}

// Returns the index of a loop in the table; kCount if there is none.
std::size_t find_loop(std::string_view name) {
  for (std::size_t i = 0; i < kCount; ++i) {
    const LoopRow& row = kLoops[i];
    if (!name.empty() && (name == row.name || name == row.alias || name == row.brief)) return i;
  }
  return kCount;
}

}  // namespace

std::span<const LoopRow> loop_table() { return kLoops; }

}  // namespace controllers

Expected<std::vector<std::string>> parse_controllers(std::string_view text) {
  constexpr std::size_t kCount = controllers::kCount;
  bool on[kCount] = {};
  bool off[kCount] = {};
  while (!text.empty()) {
    const std::string_view item = take_part(text, ',');
    if (item == "none") continue;
    if (item == "*" || item == "all") {
      for (std::size_t i = 0; i < kCount; ++i) on[i] = on[i] || controllers::kLoops[i].by_default;
      continue;
    }
    const bool minus = item.starts_with('-');
    const std::string_view name = item.substr(minus ? 1 : 0);
    const std::size_t known = controllers::find_loop(name);
    if (known == kCount && controllers::is_absent(name)) continue;
    if (known == kCount) return Fault{"unknown controller " + std::string(item)};
    (minus ? off : on)[known] = true;
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (on[i] && !off[i]) names.emplace_back(controllers::kLoops[i].name);
  }
  return names;
}

}  // namespace tabernetes
