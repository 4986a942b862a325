// FlowSchema of flowcontrol.apiserver.k8s.io. Source: upstream 1.36
// pkg/apis/flowcontrol/validation.
#include <string>

#include "json/access.h"
#include "kinds/row/kind.h"
#include "kinds/shared/lists.h"
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

TAB_RULES(kFlowAccountRules, R"(
name required @flow-account
namespace required "must specify namespace for service account" is:label
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

void flow_verbs(const Place& place) {
  constexpr std::string_view kVerbs =
      "get,list,create,update,delete,deletecollection,patch,watch,proxy";
  const Field& list = place.now;
  if (list.empty()) return list.required("verbs must contain at least one value");
  if (has_item(list, "*")) {
    if (list.size() > 1) list.invalid("if '*' is present, must not specify other verbs");
    return;
  }
  for (const Field verb : list.items()) {
    if (listed(kVerbs, verb.text())) continue;
    list.errors().push_back(field::not_supported(list.path(), list.printed(),
                                                 {"create", "delete", "deletecollection", "get",
                                                  "list", "patch", "proxy", "update", "watch"}));
    return;
  }
}

void flow_namespaces(const Place& place) {
  const Field list = place.now["namespaces"];
  if (list.empty()) {
    if (!place.now["clusterScope"].flag()) {
      list.required(
          "resource rules that are not cluster scoped must supply at least one namespace");
    }
    return;
  }
  if (has_item(list, "*")) {
    if (list.size() > 1) list.invalid("if '*' is present, must not specify other namespaces");
    return;
  }
  for (const Field item : list.items()) {
    for (const std::string& fault : dns1123_label_faults(item.text())) {
      item.invalid("each member of this list must be '*' or a DNS-1123 label; " + fault);
    }
  }
}

void flow_urls(const Place& place) {
  if (has_item(place.now, "*")) return;
  for (const Field item : place.now.items()) {
    const std::string_view path = item.text();
    const std::size_t star = path.find('*');
    if (path.empty()) {
      item.invalid("must not be empty");
    } else if (path[0] != '/') {
      item.invalid("must start with slash");
    } else if (path.find(' ') != std::string_view::npos) {
      item.invalid("must not contain white-space");
    } else if (path.find("//") != std::string_view::npos) {
      item.invalid("must not contain double slash");
    } else if (star != std::string_view::npos &&
               (star + 1 != path.size() || !path.ends_with("/*"))) {
      item.invalid("wildcard can only do suffix matching");
    }
  }
}

void flow_subject(const Place& place) {
  constexpr std::string_view kKinds[][2] = {
      {"serviceAccount", "ServiceAccount"}, {"user", "User"}, {"group", "Group"}};
  const Field kind = place.now["kind"];
  if (!listed("ServiceAccount,User,Group", kind.text())) {
    return kind.not_supported("Group,ServiceAccount,User");
  }
  for (const auto& [name, type] : kKinds) {
    if (!kind.is(type)) continue;
    const Field subject = place.now[name];
    const std::string is_required =
        std::string(name) + " is required when subject kind is '" + std::string(type) + "'";
    if (!subject.present()) {
      subject.required(is_required);
    } else if (name == "serviceAccount") {
      kFlowAccountRules.check({subject, nullptr, place.write, place.root});
    } else {
      subject["name"].require();
    }
  }
  for (const auto& [name, type] : kKinds) {
    if (kind.is(type) || !place.now.has(name)) continue;
    place.now[name].forbidden(std::string(name) + " is forbidden when subject kind is not '" +
                              std::string(type) + "'");
  }
}

void flow_account(const Place& place) {
  if (!place.now.is("*")) place.now.invalid(dns1123_subdomain_faults(place.now.text()));
}

}  // namespace

extern const NamedCheck kFlowSchemaChecks[] = {
    {"flow-verbs", &flow_verbs},     {"flow-namespaces", &flow_namespaces},
    {"flow-urls", &flow_urls},       {"flow-subject", &flow_subject},
    {"flow-account", &flow_account},
};

extern const Kind kFlowSchemaKind{.group = "flowcontrol.apiserver.k8s.io",
                                  .kind = "FlowSchema",
                                  .strategy = {.meta_passes = {"CF", "CF", ""},
                                               .reset_fields = kMetadataResets,
                                               .lists_may_lack_keys = true,
                                               .generation = Generation::kSpec,
                                               .status_keeps_metadata = true,
                                               .status_metadata = "resourceVersion"},
                                  .rules = &kFlowSchemaRules,
                                  .defaults = &kFlowSchemaDefaults,
                                  .print = &print_flow_schema,
                                  .row_order = &tried_before};

}  // namespace tabernetes::registry::kinds
