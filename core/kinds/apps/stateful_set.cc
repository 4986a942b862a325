// StatefulSet of apps. Source: upstream 1.36 pkg/apis/apps/validation.
#include "kinds/defaults_workloads.h"
#include "kinds/kinds.h"
#include "kinds/printers.h"
#include "kinds/warn.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kStatefulSetRules, R"(
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
)");

TAB_DEFAULTS(kStatefulSetDefaults, R"(
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
)");

const Kind kStatefulSetKind{.group = "apps",
                            .kind = "StatefulSet",
                            .strategy = {.names = kLabelName,
                                         .meta_passes = {"CF", "UF", "UF"},
                                         .generation = Generation::kSpec,
                                         .set_defaults = &set_stateful_set_defaults,
                                         .warnings = &warn_of_stateful_set},
                            .rules = &kStatefulSetRules,
                            .defaults = &kStatefulSetDefaults,
                            .print = &print_stateful_set};

}  // namespace tabernetes::registry::kinds
