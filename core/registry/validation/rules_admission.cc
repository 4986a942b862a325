// Webhooks, admission policies, flow control, API services, certificate requests. CEL expressions
// are compiled, but for those of mutations, which are only asked for.
// Source: upstream 1.36 pkg/apis/admissionregistration/validation, flowcontrol/validation,
// certificates/validation; kube-aggregator pkg/apis/apiregistration/validation.

#include "registry/validation/kind_rules.h"

namespace tabernetes::registry::validation {
namespace {

constexpr std::string_view kWebhooks = R"(
webhooks[]
 name required is:qualified-domain
 rules[] &operation-rule
 failurePolicy given enum:Fail,Ignore
 matchPolicy given enum:Equivalent,Exact
 sideEffects present "must specify one of None, NoneOnDryRun" enum:None,NoneOnDryRun
 timeoutSeconds given ge:1 "the timeout value must be between 1 and 30 seconds" le:30 "the timeout value must be between 1 and 30 seconds"
 namespaceSelector given &selector
 objectSelector given &selector
 reinvocationPolicy given enum:IfNeeded,Never
 clientConfig
  ?+url
   ?+service
    . need "exactly one of url or service is required"
   ?-service
    url @webhook-url
  ?-url
   ?-service
    . need "exactly one of url or service is required"
   service given
    namespace>name required
    name>namespace required
    port &webhook-port
    path given @webhook-path
 &match-conditions
 admissionReviewVersions required "must specify one of v1, v1beta1" @review-versions
 name opt distinct
)";

constexpr std::string_view kPolicy = R"(
spec
 failurePolicy present enum:Fail,Ignore
 paramKind given @param-kind
 matchConstraints present &match-resources
 ?+matchConstraints
  matchConstraints.resourceRules required
 &match-conditions
 &variables
 ?!validations
  ?!auditAnnotations
   validations need "validations or auditAnnotations must contain at least one item"
   auditAnnotations need "validations or auditAnnotations must contain at least one item"
 validations[]
  expression @validation-expression
  messageExpression @blank @message-expression
  message @blank @one-line
  reason given enum:Forbidden,Invalid,RequestEntityTooLarge
 auditAnnotations[]
  @annotation-key
  valueExpression @annotation-value
  key distinct
)";

constexpr std::string_view kPolicyBinding = R"(
spec
 policyName required is:subdomain
 paramRef given &param-ref
 matchResources given &match-resources
 validationActions[] enum:Audit,Deny,Warn distinct
 validationActions @actions
 validationActions required "at least one validation action is required"
)";

constexpr std::string_view kMutatingPolicy = R"(
spec
 failurePolicy present enum:Fail,Ignore
 paramKind given @param-kind
 matchConstraints present &match-resources
 ?+matchConstraints
  matchConstraints.resourceRules required
  matchConstraints @mutating-operations
 &match-conditions
 &variables
 mutations required "mutations must contain at least one item"
 mutations[]
  patchType required enum:ApplyConfiguration,JSONPatch
  ?patchType=JSONPatch
   jsonPatch present "must be specified when patchType is JSONPatch"
    expression @mutation-expression
   applyConfiguration given bad="{applyConfiguration}" "must not be specified when patchType is JSONPatch"
  ?patchType=ApplyConfiguration
   applyConfiguration present "must be specified when patchType is ApplyConfiguration"
    expression @mutation-expression
   jsonPatch given bad="{jsonPatch}" "must not be specified when patchType is ApplyConfiguration"
 reinvocationPolicy required enum:IfNeeded,Never
)";

constexpr std::string_view kMutatingPolicyBinding = R"(
spec
 policyName required is:subdomain
 paramRef given &param-ref
 matchResources given &match-resources @mutating-operations
)";

constexpr std::string_view kFlowSchema = R"(
on create update
 spec
  matchingPrecedence ge:1 "must be a positive value" le:10000 "must not be greater than 10000"
  ?matchingPrecedence=1
   ?/metadata.name!=exempt
    matchingPrecedence bad "only the schema named 'exempt' may have matchingPrecedence 1"
  distinguisherMethod given
   ?type!=ByNamespace|ByUser
    >type unsupported=#flowcontrol.v1.FlowDistinguisherMethod:ByNamespace,ByUser
  priorityLevelConfiguration.name required "must reference a priority level" is:subdomain
  rules[]
   subjects required "subjects must contain at least one value"
   subjects[] @flow-subject
   ?!resourceRules
    ?!nonResourceRules
     . need "at least one of resourceRules and nonResourceRules has to be non-empty"
   resourceRules[]
    verbs @flow-verbs
    apiGroups required "resource rules must supply at least one api group" star "if '*' is present, must not specify other api groups"
    resources required "resource rules must supply at least one resource" star "if '*' is present, must not specify other resources"
    @flow-namespaces
   nonResourceRules[]
    verbs @flow-verbs
    nonResourceURLs required "nonResourceURLs must contain at least one value" star "if '*' is present, must not specify other non-resource URLs" @flow-urls
 status.conditions[].type distinct required
on status
 status.conditions[].type distinct required
)";

constexpr std::string_view kPriorityLevel = R"(
on create update
 spec
  ?type=Exempt
   ?/metadata.name!=exempt
    type bad "must be 'Exempt' if and only if `name` is 'exempt'"
   limited forbid "must be nil if the type is not Limited"
   exempt &exempt-level
  ?type!=Exempt
   ?/metadata.name=exempt
    type bad "must be 'Exempt' if and only if `name` is 'exempt'"
  ?type=Limited
   exempt forbid "must be nil if the type is Limited"
   limited present "must not be empty when type is Limited"
    nominalConcurrencyShares ge:0 "must be a non-negative integer"
    limitResponse
     ?type=Reject
      queuing forbid "must be nil if limited.limitResponse.type is not Limited"
     ?type=Queue
      queuing present "must not be empty if limited.limitResponse.type is Limited"
       queueLengthLimit ge:1 "must be positive"
       queues ge:1 "must be positive" le:10000000 "must not be greater than 10000000"
       @hand-size
     ?type!=Reject|Queue
      type required enum:Queue,Reject
    lendablePercent given range:0-100
    borrowingLimitPercent given ge:0 "if specified, must be a non-negative integer"
  ?type!=Exempt|Limited
   type required enum:Exempt,Limited
 status.conditions[].type distinct required
on status
 status.conditions[].type distinct required
)";

constexpr std::string_view kApiService = R"(
@api-service-name
spec
 ?!group
  ?version!=v1
   group need "only v1 may have an empty group and it better be legacy kube"
 group opt is:subdomain
 version is:label1035
 ?!groupPriorityMinimum
  groupPriorityMinimum bad=0 "must be positive and less than 20000"
 groupPriorityMinimum opt ge:1 "must be positive and less than 20000" le:20000 "must be positive and less than 20000"
 ?!versionPriority
  versionPriority bad=0 "must be positive and less than 1000"
 versionPriority opt ge:1 "must be positive and less than 1000" le:1000 "must be positive and less than 1000"
 ?-service
  caBundle opt @ca-bundle
  ?insecureSkipTLSVerify=true
   insecureSkipTLSVerify bad "local APIServices may not have insecureSkipTLSVerify"
 service given
  namespace required
  name required
  port &webhook-port
 ?insecureSkipTLSVerify=true
  ?caBundle
   insecureSkipTLSVerify bad "may not be true if caBundle is present"
)";

constexpr std::string_view kCertificateRequest = R"~(
on create
 spec
  request @pem-request
  usages required
  usages @key-usages
  signerName required @signer-name
  expirationSeconds given ge:600 "may not specify a duration less than 600 seconds (10 minutes)"
)~";

}  // namespace

const KindRules kAdmissionRules[] = {
    {"admissionregistration.k8s.io", "ValidatingWebhookConfiguration", kWebhooks},
    {"admissionregistration.k8s.io", "MutatingWebhookConfiguration", kWebhooks},
    {"admissionregistration.k8s.io", "ValidatingAdmissionPolicy", kPolicy},
    {"admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding", kPolicyBinding},
    {"admissionregistration.k8s.io", "MutatingAdmissionPolicy", kMutatingPolicy},
    {"admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding", kMutatingPolicyBinding},
    {"flowcontrol.apiserver.k8s.io", "FlowSchema", kFlowSchema},
    {"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration", kPriorityLevel},
    {"apiregistration.k8s.io", "APIService", kApiService},
    {"certificates.k8s.io", "CertificateSigningRequest", kCertificateRequest},
    {},
};

}  // namespace tabernetes::registry::validation
