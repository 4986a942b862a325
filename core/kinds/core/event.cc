// Event.
// Source: upstream 1.36 pkg/apis/core/validation.
#include "kinds/kinds.h"
#include "kinds/printers.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kEventRules, R"(
@core-event
)");

const Kind kEventKind{
    .group = "",
    .kind = "Event",
    .strategy = {.meta_passes = {"", "", ""}, .allow_create_on_update = true, .uncached = true},
    .rules = &kEventRules,
    .print = &print_event};

}  // namespace tabernetes::registry::kinds
