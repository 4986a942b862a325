#include "registry/kinds/default_rules.h"

#include "registry/kinds/defaults_pod.h"
#include "registry/validation/checks_kinds.h"
#include "registry/validation/kind_rules.h"

// Source: upstream 1.36 pkg/apis/*/v1/defaults.go, zz_generated.defaults.go.

namespace tabernetes::registry {
namespace {

constexpr std::string_view kRoleBinding = R"(
roleRef made
 apiGroup default=rbac.authorization.k8s.io
subjects[]
 ?kind=User|Group
  apiGroup default=rbac.authorization.k8s.io
)";
constexpr std::string_view kPolicy = R"(
spec made
 failurePolicy fill=Fail
 matchConstraints given &resource-defaults
)";
constexpr std::string_view kPolicyBinding = R"(
spec made
 matchResources given &resource-defaults
)";

constexpr validation::KindRules kDefaults[] = {
    {"apps", "Deployment", R"(
spec made
 template made @template-defaults
 replicas fill=1
 strategy made
  type default=RollingUpdate
  ?type=RollingUpdate
   rollingUpdate made
    maxUnavailable,maxSurge fill=25%
 revisionHistoryLimit fill=10
 progressDeadlineSeconds fill=600
)"},
    {"apps", "ReplicaSet", R"(
spec made
 template made @template-defaults
 replicas fill=1
)"},
    {"apps", "StatefulSet", R"(
spec made
 template made @template-defaults
 podManagementPolicy default=OrderedReady
 updateStrategy made
  ?!type
   type default=RollingUpdate
   rollingUpdate made
  ?type=RollingUpdate
   rollingUpdate given
    partition fill=0
 persistentVolumeClaimRetentionPolicy made
  whenDeleted,whenScaled default=Retain
 replicas fill=1
 revisionHistoryLimit fill=10
 volumeClaimTemplates[]
  spec made
   volumeMode fill=Filesystem
  apiVersion default=v1
  kind default=PersistentVolumeClaim
  status made
   phase default=Pending
)"},
    {"apps", "DaemonSet", R"(
spec made
 template made @template-defaults
 updateStrategy made
  type default=RollingUpdate
  ?type=RollingUpdate
   rollingUpdate made
    maxUnavailable fill=1
    maxSurge fill=0
 revisionHistoryLimit fill=10
)"},
    {"batch", "CronJob", R"(
spec made
 jobTemplate made
  spec made
   template made @template-defaults
 concurrencyPolicy default=Allow
 suspend fill=false
 successfulJobsHistoryLimit fill=3
 failedJobsHistoryLimit fill=1
)"},
    {"", "PodTemplate", R"(
template made @template-defaults
)"},
    {"", "PersistentVolume", R"(
spec made
 persistentVolumeReclaimPolicy default=Retain
 volumeMode fill=Filesystem
 &source-defaults
)"},
    {"", "PersistentVolumeClaim", R"(
spec made
 volumeMode fill=Filesystem
)"},
    {"", "Endpoints", R"(
subsets[].ports[].protocol default=TCP
)"},
    {"discovery.k8s.io", "EndpointSlice", R"(
ports[]
 name fill=""
 protocol fill=TCP
)"},
    {"networking.k8s.io", "NetworkPolicy", R"(
spec made
 ingress,egress[].ports[].protocol fill=TCP
 ?egress
  policyTypes default=["Ingress","Egress"]
 else
  policyTypes default=["Ingress"]
)"},
    {"networking.k8s.io", "IngressClass", R"(
spec made
 parameters given
  scope fill=Cluster
)"},
    {"storage.k8s.io", "StorageClass", R"(
reclaimPolicy fill=Delete
volumeBindingMode fill=Immediate
)"},
    {"storage.k8s.io", "CSIDriver", R"(
spec made
 attachRequired fill=true
 podInfoOnMount,storageCapacity,requiresRepublish,seLinuxMount fill=false
 fsGroupPolicy fill=ReadWriteOnceWithFSType
 volumeLifecycleModes default=["Persistent"]
)"},
    {"rbac.authorization.k8s.io", "RoleBinding", kRoleBinding},
    {"rbac.authorization.k8s.io", "ClusterRoleBinding", kRoleBinding},
    {"scheduling.k8s.io", "PriorityClass", R"(
preemptionPolicy fill=PreemptLowerPriority
)"},
    {"flowcontrol.apiserver.k8s.io", "FlowSchema", R"(
spec made
 matchingPrecedence number=1000
)"},
    {"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration", R"(
spec made
 exempt given
  nominalConcurrencyShares,lendablePercent fill=0
 limited given
  nominalConcurrencyShares fill=30
  lendablePercent fill=0
  limitResponse.queuing given
   queues number=64
   handSize number=8
   queueLengthLimit number=50
)"},
    {"apiregistration.k8s.io", "APIService", R"(
spec made
 service given
  port fill=443
)"},
    {"resource.k8s.io", "ResourceClaim", R"(
spec made
 devices &device-defaults
)"},
    {"resource.k8s.io", "ResourceClaimTemplate", R"(
spec made
 spec made
  devices &device-defaults
)"},
    {"admissionregistration.k8s.io", "ValidatingWebhookConfiguration", R"(
webhooks[] &webhook-defaults
)"},
    {"admissionregistration.k8s.io", "MutatingWebhookConfiguration", R"(
webhooks[] &webhook-defaults
 reinvocationPolicy fill=Never
)"},
    {"admissionregistration.k8s.io", "ValidatingAdmissionPolicy", kPolicy},
    {"admissionregistration.k8s.io", "MutatingAdmissionPolicy", kPolicy},
    {"admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding", kPolicyBinding},
    {"admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding", kPolicyBinding},
};

void fill_in(std::string_view rules, json::Value& object, json::Arena& arena) {
  field::ErrorList none;
  const validation::Field whole(object, none);
  validation::Place place{whole, nullptr, validation::Write::kCreate, &object};
  place.arena = &arena;
  validation::check(rules, place);
}

void template_defaults(const validation::Place& place) {
  kinds::set_pod_template_defaults(const_cast<json::Value&>(*place.now.value()), *place.arena);
}

}  // namespace

namespace kinds {

void fill_defaults(const GroupResource& group_kind, json::Value& object, json::Arena& arena) {
  for (const validation::KindRules& row : kDefaults) {
    if (row.kind == group_kind.resource && row.group == group_kind.group) {
      return fill_in(row.rules, object, arena);
    }
  }
}

void fill_named(std::string_view rules, json::Value& place, json::Arena& arena) {
  fill_in(validation::find_rules(rules), place, arena);
}

}  // namespace kinds

namespace validation {

const NamedCheck kDefaultChecks[] = {
    {"template-defaults", &template_defaults},
    {},
};

const NamedRules kSharedDefaults[] = {
    {"source-defaults", R"(
hostPath given
 type fill=""
iscsi given
 iscsiInterface default=default
rbd given
 pool default=rbd
 user default=admin
 keyring default=/etc/ceph/keyring
azureDisk given
 cachingMode fill=ReadWrite
 fsType fill=ext4
 readOnly fill=false
 kind fill=Shared
scaleIO given
 storageMode default=ThinProvisioned
 fsType default=xfs
)"},
    {"match-defaults", R"(
matchPolicy fill=Equivalent
namespaceSelector,objectSelector fill={}
)"},
    {"webhook-defaults", R"(
&match-defaults
failurePolicy fill=Fail
timeoutSeconds fill=10
rules[].scope fill=*
clientConfig.service given
 port fill=443
)"},
    {"resource-defaults", R"(
&match-defaults
resourceRules,excludeResourceRules[].scope fill=*
)"},
    {"device-defaults", R"(
requests[]
 exactly given &request-defaults
 firstAvailable[] &request-defaults
)"},
    {"request-defaults", R"(
allocationMode default=ExactCount
?allocationMode=ExactCount
 count number=1
tolerations[].operator default=Equal
)"},
    {},
};

}  // namespace validation
}  // namespace tabernetes::registry
