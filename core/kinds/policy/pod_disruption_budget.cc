// PodDisruptionBudget of policy. Source: upstream 1.36 pkg/apis/policy/validation.
#include "base/text/ascii.h"
#include "json/access.h"
#include "kinds/row/kind.h"
#include "kinds/shared/cells.h"
#include "registry/cells/row.h"

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

TAB_RULES(kConditionRules, R"(
type distinct is:qualified
status enum:False,True,Unknown
observedGeneration ge:0 "must be greater than or equal to zero"
lastTransitionTime required
reason required is:condition-reason maxlen:1024
message maxlen:32768
)");

namespace {

using json::Value;

// Checks a number, or a percentage up to 100%.
void share(const Place& place) {
  const Field& field = place.now;
  if (!field.value()->is_string()) {
    field.non_negative();
    return;
  }
  std::string_view digits = field.text();
  const bool percent = digits.ends_with('%');
  if (percent) digits.remove_suffix(1);
  if (!percent || !is_number(digits)) {
    return field.invalid(
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  "
        "or '93%', regex used for validation is '[0-9]+%')");
  }
  while (digits.starts_with('0')) digits.remove_prefix(1);
  if (digits.size() > 3 || (digits.size() == 3 && digits > "100")) {
    field.invalid("must not be greater than 100%");
  }
}

void print_pod_disruption_budget(const Value& object, Row& row) {
  row.name(object);
  row.text(scalar_or(object.at({"spec", "minAvailable"}), "N/A"));
  row.text(scalar_or(object.at({"spec", "maxUnavailable"}), "N/A"));
  row.number(number_at(object, {"status", "disruptionsAllowed"}));
  row.age(object);
}

}  // namespace

extern const NamedCheck kPodDisruptionBudgetChecks[] = {
    {"share", &share},
};

extern const Kind kPodDisruptionBudgetKind{.group = "policy",
                                           .kind = "PodDisruptionBudget",
                                           .strategy = {.names = kAnyName,
                                                        .meta_passes = {"", "", ""},
                                                        .generation = Generation::kSpec,
                                                        .allow_unconditional_update = false},
                                           .rules = &kPodDisruptionBudgetRules,
                                           .print = &print_pod_disruption_budget};

}  // namespace tabernetes::registry::kinds
