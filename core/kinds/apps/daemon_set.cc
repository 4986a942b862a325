// DaemonSet of apps. Source: upstream 1.36 pkg/apis/apps/validation.
#include "kinds/defaults_workloads.h"
#include "kinds/kinds.h"
#include "kinds/printers.h"
#include "kinds/warn.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kDaemonSetRules, R"(
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
)");

TAB_DEFAULTS(kDaemonSetDefaults, R"(
spec made
 template made @template-defaults
 updateStrategy made
  type default=RollingUpdate
  ?type=RollingUpdate
   rollingUpdate made
    maxUnavailable fill=1
    maxSurge fill=0
 revisionHistoryLimit fill=10
)");

const Kind kDaemonSetKind{
    .group = "apps",
    .kind = "DaemonSet",
    .strategy = {.meta_passes = {"CF", "UF", "UF"},
                 .field_annotation = "deprecated.daemonset.template.generation",
                 .generation = Generation::kSpec,
                 .set_defaults = &set_daemon_set_defaults,
                 .prepare_for_create = &prepare_daemon_set_for_create,
                 .prepare_for_update = &prepare_daemon_set_for_update,
                 .prepare_subresource = &prepare_daemon_set_subresource,
                 .warnings = &warn_of_daemon_set},
    .rules = &kDaemonSetRules,
    .defaults = &kDaemonSetDefaults,
    .print = &print_daemon_set};

}  // namespace tabernetes::registry::kinds
