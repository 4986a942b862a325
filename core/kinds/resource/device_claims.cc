// Rules and defaults of device claims, in claims, claim templates and classes. Not yet checked: the
// status of claims, the devices of slices, CEL expressions. Source: upstream 1.36
// pkg/apis/resource/validation.
#include "kinds/row/rules.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kDeviceClaimRules, R"(
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
)");

TAB_RULES(kDeviceRequestRules, R"(
deviceClassName required is:subdomain
selectors max:32
selectors[] &device-selector
?allocationMode=All
 count opt bad "must not be specified when allocationMode is 'All'"
?allocationMode=ExactCount
 count positive
?allocationMode!=All|ExactCount
 allocationMode enum:All,ExactCount
)");

TAB_RULES(kDeviceSelectorRules, R"(
cel present
 expression maxlen:10240
)");

TAB_RULES(kDeviceConfigRules, R"(
opaque present
 driver required maxlen:63 is:lower-subdomain
 parameters present
)");

TAB_DEFAULTS(kDeviceDefaults, R"(
requests[]
 exactly given &request-defaults
 firstAvailable[] &request-defaults
)");

TAB_DEFAULTS(kRequestDefaults, R"(
allocationMode default=ExactCount
?allocationMode=ExactCount
 count number=1
tolerations[].operator default=Equal
)");

}  // namespace tabernetes::registry::kinds
