// What kinds of this group share: rules, defaults, cells and warnings.
#pragma once

#include "kinds/row/kind.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

TAB_DEFAULTS(kPolicyDefaults, R"(
spec made
 failurePolicy fill=Fail
 matchConstraints given &resource-defaults
)");

TAB_DEFAULTS(kPolicyBindingDefaults, R"(
spec made
 matchResources given &resource-defaults
)");

TAB_RULES(kWebhookRules, R"(
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
)");

void print_webhook_configuration(const json::Value& object, Row& row);
void print_validating_admission_policy(const json::Value& object, Row& row);
void print_mutating_admission_policy(const json::Value& object, Row& row);
void print_admission_policy_binding(const json::Value& object, Row& row);

void warn_of_static_name(const Field& object, const json::Value* old, Warnings& out);

}  // namespace tabernetes::registry::kinds
