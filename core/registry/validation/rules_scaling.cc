// Autoscalers, disruption budgets, priorities, runtime classes.
// Source: upstream 1.36 pkg/apis/autoscaling/validation, policy/validation, scheduling/validation,
// node/validation.

#include "registry/validation/kind_rules.h"

namespace tabernetes::registry::validation {
namespace {

constexpr std::string_view kAutoscaler = R"(
on create update
 spec
  minReplicas given ge:1 "must be greater than or equal to 1"
  @replica-bounds
  scaleTargetRef &scale-target @group-version
  metrics[] @metric
  ?minReplicas=0
   metrics @metrics-of-none
  behavior.scaleUp given &scaling-rules
  behavior.scaleDown given &scaling-rules
on status
 status.currentReplicas min:0
 status.desiredReplicas min:0
)";

constexpr std::string_view kDisruptionBudget = R"(
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
)";

constexpr std::string_view kPriorityClass = R"(
on create
 @priority
 preemptionPolicy given required enum:PreemptLowerPriority,Never
on update
 value immutable=forbid "may not be changed in an update."
 preemptionPolicy immutable
)";

constexpr std::string_view kRuntimeClass = R"(
on create update
 handler required is:label
 overhead.podFixed>limits @limits
 scheduling
  nodeSelector @labels
  tolerations[] &toleration
  tolerations @distinct-tolerations
on update
 handler immutable=""
)";

}  // namespace

const KindRules kScalingRules[] = {
    {"autoscaling", "HorizontalPodAutoscaler", kAutoscaler},
    {"policy", "PodDisruptionBudget", kDisruptionBudget},
    {"scheduling.k8s.io", "PriorityClass", kPriorityClass},
    {"node.k8s.io", "RuntimeClass", kRuntimeClass},
    {},
};

}  // namespace tabernetes::registry::validation
