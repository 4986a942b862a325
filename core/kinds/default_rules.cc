#include "kinds/default_rules.h"

#include "kinds/defaults_pod.h"
#include "kinds/validation/checks_kinds.h"
#include "rules/fill.h"

// Source: upstream 1.36 pkg/apis/*/v1/defaults.go, zz_generated.defaults.go.

namespace tabernetes::registry {
namespace kinds {

void fill_defaults(std::string_view rules, json::Value& object, json::Arena& arena) {
  if (rules.empty()) return;
  validation::fill_in(validation::vocabulary(), rules, object, arena);
}

void fill_named(std::string_view rules, json::Value& place, json::Arena& arena) {
  validation::fill_in(validation::vocabulary(), validation::find_rules(rules), place, arena);
}

}  // namespace kinds

namespace validation {

const NamedFill kFills[] = {{"template-defaults", &kinds::set_pod_template_defaults}, {}};

const NamedRules kSharedDefaults[] = {
    {"source-defaults", R"(
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
)"},
    {"match-defaults", R"(
matchPolicy fill=Equivalent
namespaceSelector,objectSelector fill={}
)"},
    {"webhook-defaults", R"(
&match-defaults
failurePolicy fill=Fail
timeoutSeconds fill=10
rules[].scope fill=*
clientConfig.service given
 port fill=443
)"},
    {"resource-defaults", R"(
&match-defaults
resourceRules,excludeResourceRules[].scope fill=*
)"},
    {"device-defaults", R"(
requests[]
 exactly given &request-defaults
 firstAvailable[] &request-defaults
)"},
    {"request-defaults", R"(
allocationMode default=ExactCount
?allocationMode=ExactCount
 count number=1
tolerations[].operator default=Equal
)"},
    {},
};

}  // namespace validation
}  // namespace tabernetes::registry
