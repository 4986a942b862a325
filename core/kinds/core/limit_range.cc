// LimitRange.
// Source: upstream 1.36 pkg/apis/core/validation.
#include "kinds/defaults_config.h"
#include "kinds/kinds.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kLimitRangeRules, R"(
spec.limits[]
 type is:qualified @limit-type distinct
 @limit-names
 ?type=PersistentVolumeClaim
  ?-min.storage ?-max.storage
   limits need "either minimum or maximum storage value is required, but neither was provided"
 @limit-ratio-names
 @limit-values
)");

const Kind kLimitRangeKind{.group = "",
                           .kind = "LimitRange",
                           .strategy = {.meta_passes = {"CF", "CF", ""},
                                        .allow_create_on_update = true,
                                        .set_defaults = &set_limit_range_defaults},
                           .rules = &kLimitRangeRules};

}  // namespace tabernetes::registry::kinds
