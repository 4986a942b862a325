// PodDisruptionBudget of policy. Source: upstream 1.36 pkg/apis/policy/validation.
#include "kinds/kinds.h"
#include "kinds/printers.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kPodDisruptionBudgetRules, R"(
on create update
 spec
  ?minAvailable ?maxUnavailable
   . bad=#policy.v1.PodDisruptionBudgetSpec "minAvailable and maxUnavailable cannot be both set"
  minAvailable given @share
  maxUnavailable given @share
  selector given &selector
  unhealthyPodEvictionPolicy given enum:AlwaysAllow,IfHealthyBudget
on status
 status
  conditions[] &condition
  disruptionsAllowed min:0
  currentHealthy min:0
  desiredHealthy min:0
  expectedPods min:0
)");

const Kind kPodDisruptionBudgetKind{.group = "policy",
                                    .kind = "PodDisruptionBudget",
                                    .strategy = {.names = kAnyName,
                                                 .meta_passes = {"", "", ""},
                                                 .generation = Generation::kSpec,
                                                 .allow_unconditional_update = false},
                                    .rules = &kPodDisruptionBudgetRules,
                                    .print = &print_pod_disruption_budget};

}  // namespace tabernetes::registry::kinds
