// What keeps pods of a template running, and jobs.
// Source: upstream 1.36 pkg/apis/apps/validation, batch/validation, core/validation;
// pkg/registry/batch/job/strategy.go.

#include "registry/validation/checks_kinds.h"
#include "registry/validation/kind_rules.h"

namespace tabernetes::registry::validation {
namespace {

constexpr std::string_view kDeployment = R"(
on create update
 spec
  replicas min:0
  @replicated
  strategy
   ?type=Recreate
    rollingUpdate given deny "may not be specified when strategy `type` is 'Recreate'"
   else ?type=RollingUpdate
    rollingUpdate @rolling-deployment
   else
    . unsupported=#apps.v1.DeploymentStrategy:Recreate,RollingUpdate
  minReadySeconds,revisionHistoryLimit min:0
  progressDeadlineSeconds given min:0 gt:.minReadySeconds "must be greater than minReadySeconds"
on update
 spec.selector immutable
on status
 status
  observedGeneration,replicas,updatedReplicas,readyReplicas,availableReplicas,unavailableReplicas,terminatingReplicas,collisionCount min:0
  updatedReplicas,readyReplicas,availableReplicas le:.replicas "cannot be greater than status.replicas"
  availableReplicas le:.readyReplicas "cannot be greater than readyReplicas"
  collisionCount @not-decremented
)";

constexpr std::string_view kReplicaSet = R"(
on create update
 spec
  replicas,minReadySeconds min:0
  @replicated
on update
 spec.selector immutable
on status
 status &replica-counts
)";

constexpr std::string_view kStatefulSet = R"(
on create update
 spec
  podManagementPolicy required
   ?!=OrderedReady|Parallel
    . bad "must be 'OrderedReady' or 'Parallel'"
  updateStrategy
   ?!type
    . need
   else ?type=OnDelete
    rollingUpdate given bad=#apps.v1.RollingUpdateStatefulSetStrategy "only allowed for updateStrategy 'RollingUpdate'"
   else ?type=RollingUpdate
    rollingUpdate @rolling-set
   else
    . bad=#apps.v1.StatefulSetUpdateStrategy "must be 'RollingUpdate' or 'OnDelete'"
  persistentVolumeClaimRetentionPolicy given
   whenDeleted,whenScaled enum:Retain,Delete
  on create
   volumeClaimTemplates[].spec &claim-spec
  replicas,minReadySeconds min:0
  ordinals.start min:0
  on create
   serviceName opt is:label
  @stateful-template
  template.spec
   restartPolicy enum:Always
   activeDeadlineSeconds given deny "activeDeadlineSeconds in StatefulSet is not Supported"
on update
 spec @fixed-members
on status
 status
  replicas,readyReplicas,currentReplicas,updatedReplicas,availableReplicas,observedGeneration,collisionCount min:0
  readyReplicas,currentReplicas,updatedReplicas,availableReplicas le:.replicas "cannot be greater than status.replicas"
  availableReplicas le:.readyReplicas "cannot be greater than status.readyReplicas"
  collisionCount @not-decremented
)";

constexpr std::string_view kDaemonSet = R"(
on update
 spec.selector immutable
on create update
 spec
  @daemon-selector
  template @pod-template
  template.spec
   restartPolicy enum:Always
   activeDeadlineSeconds given deny "activeDeadlineSeconds in DaemonSet is not Supported"
  minReadySeconds min:0
  updateStrategy
   ?type=RollingUpdate
    rollingUpdate present @rolling-daemons
   else ?type!=OnDelete
    . unsupported=#apps.v1.DaemonSetUpdateStrategy:RollingUpdate,OnDelete
  revisionHistoryLimit min:0
on status
 status
  currentNumberScheduled,numberMisscheduled,desiredNumberScheduled,numberReady,observedGeneration,updatedNumberScheduled,numberAvailable,numberUnavailable,collisionCount min:0
  collisionCount @not-decremented
)";

constexpr std::string_view kReplicationController = R"(
on create update
 spec
  minReadySeconds min:0
  ?@nothing-selected
   selector need
  replicas min:0
  template present
   @controller-template
   spec
    restartPolicy enum:Always
    activeDeadlineSeconds given deny "activeDeadlineSeconds in ReplicationController is not Supported"
on status
 status &replica-counts
)";

constexpr std::string_view kPodTemplate = R"(
template @pod-template
)";

constexpr std::string_view kControllerRevision = R"(
on create update
 revision min:0
on create
 data present "data is mandatory"
  ?!@object
   . need "data must be a valid JSON object"
on update
 data immutable
)";

constexpr std::string_view kJob = R"(
on create
 @new-job
on update
 @changed-job
 spec.selector immutable
 @template-change
 spec
  completionMode immutable
  podFailurePolicy immutable=#batch.v1.PodFailurePolicy
  backoffLimitPerIndex,managedBy immutable
  successPolicy immutable=#batch.v1.SuccessPolicy
)";

constexpr std::string_view kCronJob = R"(
on create update
 spec
  @schedule
  startingDeadlineSeconds min:0
  ?~timeZone
   timeZone given @time-zone
  concurrencyPolicy required enum:Allow,Forbid,Replace
  jobTemplate.spec
   &job-spec
   selector given bad "`selector` will be auto-generated"
   manualSelector
    ?=true
     . enum:nil,false
  successfulJobsHistoryLimit,failedJobsHistoryLimit min:0
)";

}  // namespace

const KindRules kWorkloadRules[] = {
    {"apps", "Deployment", kDeployment},
    {"apps", "ReplicaSet", kReplicaSet},
    {"apps", "StatefulSet", kStatefulSet},
    {"apps", "DaemonSet", kDaemonSet},
    {"apps", "ControllerRevision", kControllerRevision},
    {"", "ReplicationController", kReplicationController},
    {"", "PodTemplate", kPodTemplate},
    {"batch", "Job", kJob},
    {"batch", "CronJob", kCronJob},
    {},
};

const NamedRules kWorkloadShared[] = {
    {"replica-counts", R"(
replicas,fullyLabeledReplicas,readyReplicas,availableReplicas,observedGeneration,terminatingReplicas min:0
fullyLabeledReplicas,readyReplicas,availableReplicas le:.replicas "cannot be greater than status.replicas"
availableReplicas le:.readyReplicas "cannot be greater than readyReplicas"
)"},
    {"job-spec", R"(
parallelism,completions,activeDeadlineSeconds,backoffLimit,ttlSecondsAfterFinished,backoffLimitPerIndex,maxFailedIndexes min:0
?+maxFailedIndexes ?-backoffLimitPerIndex
 backoffLimitPerIndex need "when maxFailedIndexes is specified"
managedBy given required is:prefixed-path maxlen:63
completionMode given enum:NonIndexed,Indexed
?completionMode=Indexed
 completions present "when completion mode is Indexed"
 parallelism le:100000 "must be less than or equal to 100000 when completion mode is Indexed"
 ?+completions
  maxFailedIndexes le:.completions "must be less than or equal to completions"
 maxFailedIndexes le:100000 "must be less than or equal to 100000"
 ?completions>100000 ?+backoffLimitPerIndex
  maxFailedIndexes present "must be specified when completions is above 100000"
  parallelism le:10000 "must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index"
  maxFailedIndexes le:10000 "must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index"
else ?-completionMode
 &not-indexed
else ?completionMode=NonIndexed
 &not-indexed
podFailurePolicy given
 rules max:20
 rules[]
  ?action=FailIndex
   ?-..backoffLimitPerIndex
    action bad "requires the backoffLimitPerIndex to be set"
  else
   action required |valid values: ["Count" "FailIndex" "FailJob" "Ignore"]| enum:Count,FailIndex,FailJob,Ignore
  onExitCodes given
   operator required |valid values: ["In" "NotIn"]| enum:In,NotIn
   containerName given among:....template.spec.containers[].name,....template.spec.initContainers[].name "must be one of the container or initContainer names in the pod template"
   @exit-values
  onPodConditions max!:20
  onPodConditions[]
   type is:qualified
   status required |valid values: ["False" "True" "Unknown"]| enum:False,True,Unknown
  @one-condition
?+successPolicy ?completionMode!=Indexed
 successPolicy bad=#batch.v1.SuccessPolicy "requires indexed completion mode"
else ?+successPolicy
 successPolicy.rules required "at least one rules must be specified when the successPolicy is specified"
 successPolicy.rules max:20
 successPolicy.rules[] @success-rule
?+podFailurePolicy
 podReplacementPolicy given enum:Failed
else
 podReplacementPolicy given enum:Failed,TerminatingOrFailed
template @pod-template
template.spec.restartPolicy
 ?=Always
  . need |valid values: "OnFailure", "Never"|
 else
  . required |valid values: "OnFailure", "Never"| enum:OnFailure,Never
  ?=OnFailure ?+...podFailurePolicy
   . bad |only "Never" is supported when podFailurePolicy is specified|
)"},
    {"not-indexed", R"(
backoffLimitPerIndex,maxFailedIndexes given bad "requires indexed completion mode"
)"},
    {},
};

}  // namespace tabernetes::registry::validation
