// Rules that workloads and jobs share. Source: upstream 1.36 pkg/apis/apps/validation,
// batch/validation, core/validation; pkg/registry/batch/job/strategy.go.

#include "rules/rules.h"

namespace tabernetes::registry::validation {

TAB_RULES(kReplicaCountsRules, R"(
replicas,fullyLabeledReplicas,readyReplicas,availableReplicas,observedGeneration,terminatingReplicas min:0
fullyLabeledReplicas,readyReplicas,availableReplicas le:.replicas "cannot be greater than status.replicas"
availableReplicas le:.readyReplicas "cannot be greater than readyReplicas"
)");

TAB_RULES(kJobSpecRules, R"(
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
)");

TAB_RULES(kNotIndexedRules, R"(
backoffLimitPerIndex,maxFailedIndexes given bad "requires indexed completion mode"
)");

}  // namespace tabernetes::registry::validation
