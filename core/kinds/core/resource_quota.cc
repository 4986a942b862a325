// ResourceQuota.
// Source: upstream 1.36 pkg/apis/core/validation.
#include "kinds/kinds.h"
#include "kinds/printers.h"
#include "kinds/warn.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kResourceQuotaRules, R"(
spec
 hard{} @quota-amount
 @quota-scopes
 scopeSelector given @scope-selector
on update
 spec.scopes @same-scopes
on status
 status.hard{} @quota-amount
 status.used{} @quota-amount
)");

const Kind kResourceQuotaKind{.group = "",
                              .kind = "ResourceQuota",
                              .strategy = {.meta_passes = {"CF", "UF", "UF"},
                                           .returns_deleted_object = true,
                                           .warnings = &warn_of_resource_quota},
                              .rules = &kResourceQuotaRules,
                              .print = &print_resource_quota};

}  // namespace tabernetes::registry::kinds
