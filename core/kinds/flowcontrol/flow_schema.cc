// FlowSchema of flowcontrol.apiserver.k8s.io. Source: upstream 1.36
// pkg/apis/flowcontrol/validation.
#include "json/access.h"
#include "kinds/kinds.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/meta/conditions.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kFlowSchemaRules, R"(
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
)");

TAB_DEFAULTS(kFlowSchemaDefaults, R"(
spec made
 matchingPrecedence number=1000
)");

namespace {

using json::Value;

// FlowSchemas are listed in matching order.
bool tried_before(const json::Value& a, const json::Value& b) {
  const auto precedence_a = number_at(a, {"spec", "matchingPrecedence"});
  const auto precedence_b = number_at(b, {"spec", "matchingPrecedence"});
  if (precedence_a != precedence_b) return precedence_a < precedence_b;
  return text_at(a, {"metadata", "name"}) < text_at(b, {"metadata", "name"});
}

void print_flow_schema(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"spec", "priorityLevelConfiguration", "name"}));
  row.number(number_at(object, {"spec", "matchingPrecedence"}));
  row.text(has(object, {"spec", "distinguisherMethod"})
               ? text_at(object, {"spec", "distinguisherMethod", "type"})
               : kNone);
  row.age(object);
  const Value* dangling = find_condition(object, "Dangling");
  row.text(dangling == nullptr ? std::string_view("?") : dangling->string_at("status"));
}

}  // namespace

const Kind kFlowSchemaKind{.group = "flowcontrol.apiserver.k8s.io",
                           .kind = "FlowSchema",
                           .strategy = {.meta_passes = {"CF", "CF", ""},
                                        .reset_fields = kMetadataResets,
                                        .generation = Generation::kSpec,
                                        .status_keeps_metadata = true,
                                        .status_metadata = "resourceVersion"},
                           .rules = &kFlowSchemaRules,
                           .defaults = &kFlowSchemaDefaults,
                           .print = &print_flow_schema,
                           .row_order = &tried_before};

}  // namespace tabernetes::registry::kinds
