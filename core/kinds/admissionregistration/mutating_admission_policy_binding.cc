// MutatingAdmissionPolicyBinding of admissionregistration.k8s.io. Source: upstream 1.36
// pkg/apis/admissionregistration/validation.
#include "kinds/admissionregistration/shared.h"
#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kMutatingAdmissionPolicyBindingRules, R"(
spec
 policyName required is:subdomain
 paramRef given &param-ref
 matchResources given &match-resources @mutating-operations
)");

extern const Kind kMutatingAdmissionPolicyBindingKind{
    .group = "admissionregistration.k8s.io",
    .kind = "MutatingAdmissionPolicyBinding",
    .strategy = {.meta_passes = {"C", "C", ""},
                 .generation = Generation::kSpec,
                 .allow_unconditional_update = false,
                 .warnings = &warn_of_static_name},
    .rules = &kMutatingAdmissionPolicyBindingRules,
    .defaults = &kPolicyBindingDefaults,
    .print = &print_admission_policy_binding};

}  // namespace tabernetes::registry::kinds
