// ValidatingAdmissionPolicy of admissionregistration.k8s.io. Source: upstream 1.36
// pkg/apis/admissionregistration/validation.
#include "kinds/admissionregistration/shared.h"
#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kValidatingAdmissionPolicyRules, R"(
spec
 failurePolicy present enum:Fail,Ignore
 paramKind given @param-kind
 matchConstraints present &match-resources
 ?+matchConstraints
  matchConstraints.resourceRules required
 &match-conditions
 &variables
 ?!validations
  ?!auditAnnotations
   validations need "validations or auditAnnotations must contain at least one item"
   auditAnnotations need "validations or auditAnnotations must contain at least one item"
 validations[]
  expression @validation-expression
  messageExpression @blank @message-expression
  message @blank @one-line
  reason given enum:Forbidden,Invalid,RequestEntityTooLarge
 auditAnnotations[]
  @annotation-key
  valueExpression @annotation-value
  key distinct
)");

extern const Kind kValidatingAdmissionPolicyKind{.group = "admissionregistration.k8s.io",
                                                 .kind = "ValidatingAdmissionPolicy",
                                                 .strategy = {.meta_passes = {"C", "C", ""},
                                                              .generation = Generation::kSpec,
                                                              .allow_unconditional_update = false,
                                                              .status_keeps_metadata = true,
                                                              .warnings = &warn_of_static_name},
                                                 .rules = &kValidatingAdmissionPolicyRules,
                                                 .defaults = &kPolicyDefaults,
                                                 .print = &print_validating_admission_policy};

}  // namespace tabernetes::registry::kinds
