// Device classes, claims, claim templates and slices. Not yet checked: the status of claims, the
// devices of slices, CEL expressions. Source: upstream 1.36 pkg/apis/resource/validation.

#include "kinds/validation/checks_kinds.h"

namespace tabernetes::registry::validation {
const NamedRules kDeviceShared[] = {
    {"device-claim", R"(
requests max:32
requests[]
 name required is:label
 ?firstAvailable
  ?+exactly
   . bad=null "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set"
  ?-exactly
   firstAvailable max:8
   firstAvailable[]
    name required is:label
    &device-request
    name distinct
 ?!firstAvailable
  exactly given &device-request
  ?-exactly
   . need "exactly one of `exactly` or `firstAvailable` is required"
 name distinct
constraints max:32
config max:32
config[] &device-config
)"},
    {"device-request", R"(
deviceClassName required is:subdomain
selectors max:32
selectors[] &device-selector
?allocationMode=All
 count opt bad "must not be specified when allocationMode is 'All'"
?allocationMode=ExactCount
 count positive
?allocationMode!=All|ExactCount
 allocationMode enum:All,ExactCount
)"},
    {"device-selector", R"(
cel present
 expression maxlen:10240
)"},
    {"device-config", R"(
opaque present
 driver required maxlen:63 is:lower-subdomain
)"},
    {},
};

}  // namespace tabernetes::registry::validation
