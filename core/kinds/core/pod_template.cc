// PodTemplate. Source: upstream 1.36 pkg/apis/core/validation.
#include "kinds/kinds.h"
#include "kinds/printers.h"
#include "kinds/warn.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kPodTemplateRules, R"(
template @pod-template
)");

TAB_DEFAULTS(kPodTemplateDefaults, R"(
template made @template-defaults
)");

const Kind kPodTemplateKind{.group = "",
                            .kind = "PodTemplate",
                            .strategy = {.meta_passes = {"CF", "UF", "UF"},
                                         .generation = Generation::kTemplate,
                                         .returns_deleted_object = true,
                                         .warnings = &warn_of_pod_template},
                            .rules = &kPodTemplateRules,
                            .defaults = &kPodTemplateDefaults,
                            .print = &print_pod_template};

}  // namespace tabernetes::registry::kinds
