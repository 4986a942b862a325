// Deployment of apps. Source: upstream 1.36 pkg/apis/apps/validation.
#include "json/access.h"
#include "kinds/apps/int_or_percent.h"
#include "kinds/apps/shared.h"
#include "kinds/pod_template/warnings.h"
#include "kinds/pod_template/workloads.h"
#include "kinds/row/kind.h"
#include "registry/cells/row.h"
#include "registry/selectors/selector_object.h"

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

using json::Value;

constexpr ResetFields kDeploymentResets[] = {{"status", "spec metadata.labels"}};

void rolling_deployment(const Place& place) {
  const Field& rolling = place.now;
  const Field unavailable = rolling["maxUnavailable"];
  const Field surge = rolling["maxSurge"];
  validate_int_or_percent(unavailable);
  validate_int_or_percent(surge);
  if (int_or_percent_value(unavailable) == 0 && int_or_percent_value(surge) == 0) {
    unavailable.invalid("may not be 0 when `maxSurge` is 0");
  }
  validate_at_most_100_percent(unavailable);
}

void print_deployment(const Value& object, Row& row) {
  row.name(object);
  row.text(ready_of_desired(object));
  row.number(number_at(object, {"status", "updatedReplicas"}));
  row.number(number_at(object, {"status", "availableReplicas"}));
  row.age(object);
  print_template_containers(object, row);
  // Unlike the other workloads, without <none>.
  const auto selector = format_label_selector(object.at({"spec", "selector"}));
  row.text(selector.value_or("<invalid>"));
}

}  // namespace

extern const NamedCheck kDeploymentChecks[] = {
    {"rolling-deployment", &rolling_deployment},
};

extern const Kind kDeploymentKind{
    .group = "apps",
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
