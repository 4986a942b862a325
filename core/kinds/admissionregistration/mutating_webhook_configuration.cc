// MutatingWebhookConfiguration of admissionregistration.k8s.io. Source: upstream 1.36
// pkg/apis/admissionregistration/validation.
#include "kinds/admissionregistration/shared.h"
#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

TAB_DEFAULTS(kMutatingWebhookConfigurationDefaults, R"(
webhooks[] &webhook-defaults
 reinvocationPolicy fill=Never
)");

extern const Kind kMutatingWebhookConfigurationKind{
    .group = "admissionregistration.k8s.io",
    .kind = "MutatingWebhookConfiguration",
    .strategy = {.meta_passes = {"C", "C", ""},
                 .generation = Generation::kWebhooks,
                 .allow_unconditional_update = false,
                 .warnings = &warn_of_static_name},
    .rules = &kWebhookRules,
    .defaults = &kMutatingWebhookConfigurationDefaults,
    .print = &print_webhook_configuration};

}  // namespace tabernetes::registry::kinds
