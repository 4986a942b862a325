// Rules of types that several kinds contain.

#include "kinds/validation/shared_rules.h"

namespace tabernetes::registry::validation {

TAB_RULES(kSelectorRules, R"(
matchLabels @labels
matchExpressions[] &selector-term
)");

TAB_RULES(kSelectorTermRules, R"(
?operator=In|NotIn
 values required "must be specified when `operator` is 'In' or 'NotIn'"
?operator=Exists|DoesNotExist
 values forbid "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
?operator!=In|NotIn|Exists|DoesNotExist
 operator bad "not a valid selector operator"
key is:qualified
values[] is:label-value
)");

TAB_RULES(kNodeRequirementRules, R"(
?operator=In|NotIn
 values required "must be specified when `operator` is 'In' or 'NotIn'"
?operator=Exists|DoesNotExist
 values forbid "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
?operator=Gt|Lt
 values @one-value
?operator!=In|NotIn|Exists|DoesNotExist|Gt|Lt
 operator bad "not a valid selector operator"
key is:qualified
)");

TAB_RULES(kNodeFieldRules, R"(
?operator=In|NotIn
 values @one-field-value
?operator!=In|NotIn
 operator bad "not a valid selector operator"
?key!=metadata.name
 key bad "not a valid field selector key"
?key=metadata.name
 values[] is:subdomain
)");

TAB_RULES(kNodeSelectorRules, R"(
nodeSelectorTerms required "must have at least one node selector term"
nodeSelectorTerms[]
 matchExpressions[] &node-requirement
  values[] is:label-value
 matchFields[] &node-field
)");

TAB_RULES(kPreferredNodeTermRules, R"(
matchExpressions[] &node-requirement
matchFields[] &node-field
)");

TAB_RULES(kConditionRules, R"(
type distinct is:qualified
status enum:False,True,Unknown
observedGeneration ge:0 "must be greater than or equal to zero"
lastTransitionTime required
reason required is:condition-reason maxlen:1024
message maxlen:32768
)");

TAB_RULES(kEventSeriesRules, R"(
?!count>1
 count bad="" "should be at least 2"
lastObservedTime present
)");

TAB_RULES(kChapRules, R"(
?chapAuthDiscovery=true
 secretRef present
else ?chapAuthSession=true
 secretRef present
)");

TAB_RULES(kTolerationRules, R"(
key opt is:qualified
@toleration-key
?tolerationSeconds
 ?effect!=NoExecute
  effect bad "effect must be 'NoExecute' when `tolerationSeconds` is set"
@toleration-value
effect opt enum:NoSchedule,PreferNoSchedule,NoExecute
)");

TAB_RULES(kLocalReferenceRules, R"(
apiGroup given is:subdomain
kind required is:segment
name required is:segment
)");

// network
TAB_RULES(kExternalPolicyRules, R"(
externalTrafficPolicy required enum:Cluster,Local
)");

TAB_RULES(kNoExternalPolicyRules, R"(
externalTrafficPolicy opt bad "may only be set for externally-accessible services"
)");

TAB_RULES(kNoHealthPortRules, R"(
healthCheckNodePort opt bad "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
)");

TAB_RULES(kEndpointAddressRules, R"(
ip is:ip
hostname opt is:label
nodeName given is:subdomain
ip is:endpoint-ip
)");

TAB_RULES(kIngressBackendRules, R"(
?resource
 ?service
  . bad="" "cannot set both resource and service backends"
 ?!service
  resource &local-reference
?!resource
 ?service
  service.name required is:label
  ?service.port.name
   ?service.port.number
    . bad="" "cannot set both port name & port number"
   ?!service.port.number
    service.port.name is:port-name
  ?!service.port.name
   ?service.port.number
    service.port.number range:1-65535
   ?!service.port.number
    . need "port name or number is required"
 ?!service
  . bad="" "resource or service backend is required"
)");

TAB_RULES(kPolicyPortRules, R"(
protocol given enum:TCP,UDP,SCTP
@port-range
)");

TAB_RULES(kPolicyPeerRules, R"(
podSelector given &selector
namespaceSelector given &selector
ipBlock given
 cidr required is:cidr
 @exceptions
?ipBlock
 ?podSelector
  . deny "may not specify both ipBlock and another peer"
 ?!podSelector
  ?namespaceSelector
   . deny "may not specify both ipBlock and another peer"
?!ipBlock
 ?!podSelector
  ?!namespaceSelector
   . need "must specify a peer"
)");

// access
TAB_RULES(kPolicyRuleRules, R"(
?nonResourceURLs
 @mixed-rule
?!nonResourceURLs
 apiGroups required "resource rules must supply at least one api group"
 resources required "resource rules must supply at least one resource"
)");

TAB_RULES(kSubjectRules, R"(
name required
?kind=ServiceAccount
 name opt is:subdomain
 apiGroup opt enum:
?kind=User|Group
 apiGroup enum:rbac.authorization.k8s.io
?kind!=ServiceAccount|User|Group
 kind enum:ServiceAccount,User,Group
)");

// scaling
TAB_RULES(kScaleTargetRules, R"(
kind required is:segment
name required is:segment
)");

TAB_RULES(kScalingRules, R"(
stabilizationWindowSeconds given ge:0 "must be greater than or equal to zero" le:3600 "must be less than or equal to 3600"
selectPolicy given enum:Disabled,Max,Min
policies required "must specify at least one Policy"
policies[]
 type enum:Percent,Pods
 value positive
 periodSeconds positive le:1800 "must be less than or equal to 1800"
tolerance @not-negative
)");

TAB_RULES(kMetricTargetRules, R"(
type required "must specify a metric target type"
?type!=Utilization|Value|AverageValue
 type bad "must be either Utilization, Value, or AverageValue"
value @positive
averageValue @positive
averageUtilization given ge:1 "must be greater than 0"
)");

TAB_RULES(kMetricNameRules, R"(
name required "must specify a metric name" is:segment
)");

TAB_RULES(kObjectSourceRules, R"(
describedObject &scale-target @any-version
metric &metric-name
target &metric-target
?!target.value
 ?!target.averageValue
  target.averageValue need "must set either a target value or averageValue"
)");

TAB_RULES(kExternalSourceRules, R"(
metric &metric-name
target &metric-target
?!target.value
 ?!target.averageValue
  target.averageValue need "must set either a target value for metric or a per-pod target"
?target.value
 ?target.averageValue
  target.value deny "may not set both a target value for metric and a per-pod target"
)");

TAB_RULES(kPodsSourceRules, R"(
metric &metric-name
target &metric-target
?!target.averageValue
 target.averageValue need "must specify a positive target averageValue"
)");

TAB_RULES(kResourceTargetRules, R"(
target &metric-target
?!target.averageUtilization
 ?!target.averageValue
  target.averageUtilization need "must set either a target raw value or a target utilization"
?target.averageUtilization
 ?target.averageValue
  target.averageValue deny "may not set both a target raw value and a target utilization"
)");

TAB_RULES(kResourceSourceRules, R"(
name required "must specify a resource name"
&resource-target
)");

TAB_RULES(kContainerSourceRules, R"(
name required "must specify a resource name" @container-resource
container required "must specify a container" is:label
&resource-target
)");

}  // namespace tabernetes::registry::validation
