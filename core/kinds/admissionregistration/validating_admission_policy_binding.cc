// ValidatingAdmissionPolicyBinding of admissionregistration.k8s.io. Source: upstream 1.36
// pkg/apis/admissionregistration/validation.
#include "kinds/admissionregistration/shared.h"
#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kValidatingAdmissionPolicyBindingRules, R"(
spec
 policyName required is:subdomain
 paramRef given &param-ref
 matchResources given &match-resources
 validationActions[] enum:Audit,Deny,Warn distinct
 validationActions @actions
 validationActions required "at least one validation action is required"
)");

extern const Kind kValidatingAdmissionPolicyBindingKind{
    .group = "admissionregistration.k8s.io",
    .kind = "ValidatingAdmissionPolicyBinding",
    .strategy = {.meta_passes = {"C", "C", ""},
                 .generation = Generation::kSpec,
                 .allow_unconditional_update = false,
                 .warnings = &warn_of_static_name},
    .rules = &kValidatingAdmissionPolicyBindingRules,
    .defaults = &kPolicyBindingDefaults,
    .print = &print_admission_policy_binding};

}  // namespace tabernetes::registry::kinds
