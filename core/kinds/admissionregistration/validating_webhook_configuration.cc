// ValidatingWebhookConfiguration of admissionregistration.k8s.io. Source: upstream 1.36
// pkg/apis/admissionregistration/validation.
#include "kinds/admissionregistration/shared.h"
#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

TAB_DEFAULTS(kValidatingWebhookConfigurationDefaults, R"(
webhooks[] &webhook-defaults
)");

extern const Kind kValidatingWebhookConfigurationKind{
    .group = "admissionregistration.k8s.io",
    .kind = "ValidatingWebhookConfiguration",
    .strategy = {.meta_passes = {"C", "C", ""},
                 .generation = Generation::kWebhooks,
                 .allow_unconditional_update = false,
                 .warnings = &warn_of_static_name},
    .rules = &kWebhookRules,
    .defaults = &kValidatingWebhookConfigurationDefaults,
    .print = &print_webhook_configuration};

}  // namespace tabernetes::registry::kinds
