// MutatingAdmissionPolicy of admissionregistration.k8s.io. Source: upstream 1.36
// pkg/apis/admissionregistration/validation.
#include "kinds/admissionregistration/shared.h"
#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kMutatingAdmissionPolicyRules, R"(
spec
 failurePolicy present enum:Fail,Ignore
 paramKind given @param-kind
 matchConstraints present &match-resources
 ?+matchConstraints
  matchConstraints.resourceRules required
  matchConstraints @mutating-operations
 &match-conditions
 &variables
 mutations required "mutations must contain at least one item"
 mutations[]
  patchType required enum:ApplyConfiguration,JSONPatch
  ?patchType=JSONPatch
   jsonPatch present "must be specified when patchType is JSONPatch"
    expression @patch-expression
   applyConfiguration given bad="{applyConfiguration}" "must not be specified when patchType is JSONPatch"
  ?patchType=ApplyConfiguration
   applyConfiguration present "must be specified when patchType is ApplyConfiguration"
    expression @apply-expression
   jsonPatch given bad="{jsonPatch}" "must not be specified when patchType is ApplyConfiguration"
 reinvocationPolicy required enum:IfNeeded,Never
)");

extern const Kind kMutatingAdmissionPolicyKind{.group = "admissionregistration.k8s.io",
                                               .kind = "MutatingAdmissionPolicy",
                                               .strategy = {.meta_passes = {"C", "C", ""},
                                                            .generation = Generation::kSpec,
                                                            .allow_unconditional_update = false,
                                                            .warnings = &warn_of_static_name},
                                               .rules = &kMutatingAdmissionPolicyRules,
                                               .defaults = &kPolicyDefaults,
                                               .print = &print_mutating_admission_policy};

}  // namespace tabernetes::registry::kinds
