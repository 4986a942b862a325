// ResourceClaimTemplate of resource.k8s.io.
// Source: upstream 1.36 pkg/apis/resource/validation.
#include "kinds/row/kind.h"
#include "kinds/shared/cells.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kResourceClaimTemplateRules, R"(
on create
 spec.spec.devices &device-claim
on update
 spec immutable=#resource.v1.ResourceClaimTemplateSpec
)");

TAB_DEFAULTS(kResourceClaimTemplateDefaults, R"(
spec made
 spec made
  devices &device-defaults
)");

extern const Kind kResourceClaimTemplateKind{
    .group = "resource.k8s.io",
    .kind = "ResourceClaimTemplate",
    .strategy = {.meta_passes = {"CF", "CFUF", "UF"}, .returns_deleted_object = true},
    .rules = &kResourceClaimTemplateRules,
    .defaults = &kResourceClaimTemplateDefaults,
    .print = &print_name_and_age};

}  // namespace tabernetes::registry::kinds
