// DeviceClass of resource.k8s.io.
// Source: upstream 1.36 pkg/apis/resource/validation.
#include "kinds/row/kind.h"
#include "kinds/shared/cells.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kDeviceClassRules, R"(
spec
 selectors[] &device-selector
 config[] &device-config
)");

extern const Kind kDeviceClassKind{.group = "resource.k8s.io",
                                   .kind = "DeviceClass",
                                   .strategy = {.meta_passes = {"CF", "CFUF", "UF"},
                                                .generation = Generation::kSpec,
                                                .returns_deleted_object = true},
                                   .rules = &kDeviceClassRules,
                                   .print = &print_name_and_age};

}  // namespace tabernetes::registry::kinds
