#include "kinds/default_rules.h"

#include "kinds/defaults_pod.h"

// Source: upstream 1.36 pkg/apis/*/v1/defaults.go, zz_generated.defaults.go.

namespace tabernetes::registry::validation {

const NamedFill kFills[] = {
    {"template-defaults", &kinds::set_pod_template_defaults},
};

TAB_DEFAULTS(kSourceDefaults, R"(
hostPath given
 type fill=""
iscsi given
 iscsiInterface default=default
rbd given
 pool default=rbd
 user default=admin
 keyring default=/etc/ceph/keyring
azureDisk given
 cachingMode fill=ReadWrite
 fsType fill=ext4
 readOnly fill=false
 kind fill=Shared
scaleIO given
 storageMode default=ThinProvisioned
 fsType default=xfs
)");

TAB_DEFAULTS(kMatchDefaults, R"(
matchPolicy fill=Equivalent
namespaceSelector,objectSelector fill={}
)");

TAB_DEFAULTS(kWebhookDefaults, R"(
&match-defaults
failurePolicy fill=Fail
timeoutSeconds fill=10
rules[].scope fill=*
clientConfig.service given
 port fill=443
)");

TAB_DEFAULTS(kResourceDefaults, R"(
&match-defaults
resourceRules,excludeResourceRules[].scope fill=*
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

}  // namespace tabernetes::registry::validation
