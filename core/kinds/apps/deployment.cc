// Deployment of apps. Source: upstream 1.36 pkg/apis/apps/validation.
#include "kinds/kinds.h"
#include "kinds/printers.h"
#include "kinds/warn.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kDeploymentRules, R"(
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
)");

TAB_DEFAULTS(kDeploymentDefaults, R"(
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
)");

namespace {

constexpr ResetFields kDeploymentResets[] = {{"status", "spec metadata.labels"}};

}  // namespace

const Kind kDeploymentKind{.group = "apps",
                           .kind = "Deployment",
                           .strategy = {.meta_passes = {"CF", "UF", "UF"},
                                        .reset_fields = kDeploymentResets,
                                        .field_annotation = "deprecated.deployment.rollback.to",
                                        .generation = Generation::kSpecOrAnnotations,
                                        .status_keeps_labels = true,
                                        .warnings = &warn_of_replicas},
                           .rules = &kDeploymentRules,
                           .defaults = &kDeploymentDefaults,
                           .print = &print_deployment};

}  // namespace tabernetes::registry::kinds
