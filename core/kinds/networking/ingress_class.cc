// IngressClass of networking.k8s.io. Source: upstream 1.36 pkg/apis/networking/validation.
#include <string>

#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kIngressClassRules, R"(
on update
 spec.controller immutable=""
spec
 controller maxlen:250 required is:prefixed-path
 parameters given
  &local-reference
  scope present
  ?scope=Namespace
   namespace present "`parameters.scope` is set to 'Namespace'" is:label
  ?scope=Cluster
   namespace forbid "`parameters.scope` is set to 'Cluster'"
  scope given enum:Cluster,Namespace
)");

TAB_DEFAULTS(kIngressClassDefaults, R"(
spec made
 parameters given
  scope fill=Cluster
)");

TAB_RULES(kLocalReferenceRules, R"(
apiGroup given is:subdomain
kind required is:segment
name required is:segment
)");

namespace {

using json::Value;

// Returns kind, group and name of an IngressClass's parameters: "P.g/x".
std::string ingress_parameters(const Value& ingress_class) {
  const Value* parameters = ingress_class.at({"spec", "parameters"});
  if (parameters == nullptr || !parameters->is_object()) return std::string(kNone);
  std::string text(parameters->string_at("kind"));
  if (has(*parameters, {"apiGroup"})) text.append(".").append(parameters->string_at("apiGroup"));
  return text.append("/").append(parameters->string_at("name"));
}

void print_ingress_class(const Value& object, Row& row) {
  std::string name(text_at(object, {"metadata", "name"}));
  if (text_at(object, {"metadata", "annotations", "ingressclass.kubernetes.io/is-default-class"}) ==
      "true") {
    name += " (default)";
  }
  row.text(name);
  row.text(text_at(object, {"spec", "controller"}));
  row.text(ingress_parameters(object));
  row.age(object);
}

}  // namespace

extern const Kind kIngressClassKind{
    .group = "networking.k8s.io",
    .kind = "IngressClass",
    .strategy = {.meta_passes = {"CF", "UFCF", "UF"}, .generation = Generation::kSpec},
    .rules = &kIngressClassRules,
    .defaults = &kIngressClassDefaults,
    .print = &print_ingress_class};

}  // namespace tabernetes::registry::kinds
