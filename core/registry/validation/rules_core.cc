// Namespaces, nodes, quotas, limits, secrets, events.
// Source: upstream 1.36 pkg/apis/core/validation.

#include "registry/validation/kind_rules.h"

namespace tabernetes::registry::validation {
namespace {

constexpr std::string_view kNamespace = R"(
on create update
 spec.finalizers @own-finalizers
on status
 @phase
)";

constexpr std::string_view kNode = R"(
on create update
 @taints
 @node-resources
 spec.podCIDRs @pod-cidrs
on update status
 @node-resources
 status.addresses[] distinct=#core.v1.NodeAddress
 @node-change
 spec.configSource given
  ?-configMap
   . bad={"ConfigMap":null} "exactly one reference subfield must be non-nil"
  configMap given
   uid forbid "uid must not be set in spec"
   resourceVersion forbid "resourceVersion must not be set in spec"
   &kubelet-config
 status.config
  assigned given &config-status
  active given &config-status
  lastKnownGood given &config-status
 @taints
 spec.externalID immutable=forbid "may not be updated"
)";

constexpr std::string_view kLimitRange = R"(
spec.limits[]
 type is:qualified @limit-type distinct
 @limit-names
 ?type=PersistentVolumeClaim
  ?-min.storage ?-max.storage
   limits need "either minimum or maximum storage value is required, but neither was provided"
 @limit-ratio-names
 @limit-values
)";

constexpr std::string_view kQuota = R"(
spec
 hard{} @quota-amount
 @quota-scopes
 scopeSelector given @scope-selector
on update
 spec.scopes @same-scopes
on status
 status.hard{} @quota-amount
 status.used{} @quota-amount
)";

constexpr std::string_view kSecret = R"(
@secret-type
)";

constexpr std::string_view kCoreEvent = R"(
@core-event
)";

constexpr std::string_view kEvent = R"(
@event
on create
 series given &event-series
 eventTime required
 @event-type
 deprecatedFirstTimestamp>firstTimestamp opt bad="" "needs to be unset"
 deprecatedLastTimestamp>lastTimestamp opt bad="" "needs to be unset"
 deprecatedCount>count opt bad="" "needs to be unset"
 ?deprecatedSource.component
  deprecatedSource>source bad="" "needs to be unset"
 ?!deprecatedSource.component
  ?deprecatedSource.host
   deprecatedSource>source bad="" "needs to be unset"
on update
 ?~series
  series given &event-series
 regarding>involvedObject immutable=#core.v1.ObjectReference
 reason immutable=""
 note>message immutable=""
 deprecatedSource>source @immutable-source
 deprecatedFirstTimestamp>firstTimestamp immutable
 deprecatedLastTimestamp>lastTimestamp immutable
 deprecatedCount>count immutable=0
 reason immutable=""
 type immutable=""
 eventTime immutable
 action immutable=""
 related immutable=#core.v1.ObjectReference
 reportingController immutable=""
 reportingInstance immutable=""
)";

}  // namespace

const KindRules kCoreRules[] = {
    {"", "Namespace", kNamespace},
    {"", "Node", kNode},
    {"", "LimitRange", kLimitRange},
    {"", "ResourceQuota", kQuota},
    {"", "Secret", kSecret},
    {"", "Event", kCoreEvent},
    {"events.k8s.io", "Event", kEvent},
    {},
};

}  // namespace tabernetes::registry::validation
