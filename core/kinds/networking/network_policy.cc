// NetworkPolicy of networking.k8s.io. Source: upstream 1.36 pkg/apis/networking/validation.
#include "base/text/ascii.h"
#include "kinds/kinds.h"
#include "kinds/warn.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kNetworkPolicyRules, R"(
spec
 podSelector &selector
 ingress[]
  ports[] &policy-port
  from[] &policy-peer
 egress[]
  ports[] &policy-port
  to[] &policy-peer
 ?policyTypes.2
  policyTypes bad "may not specify more than two policyTypes"
 ?!policyTypes.2
  policyTypes[] enum:Ingress,Egress
)");

TAB_DEFAULTS(kNetworkPolicyDefaults, R"(
spec made
 ingress,egress[].ports[].protocol fill=TCP
 ?egress
  policyTypes default=["Ingress","Egress"]
 else
  policyTypes default=["Ingress"]
)");

namespace {

using json::Value;

void print_network_policy(const Value& object, Row& row) {
  row.name(object);
  row.text(selector_text(object.at({"spec", "podSelector"})));
  row.age(object);
}

}  // namespace

const Kind kNetworkPolicyKind{.group = "networking.k8s.io",
                              .kind = "NetworkPolicy",
                              .strategy = {.meta_passes = {"CF", "UF", "UF"},
                                           .generation = Generation::kSpec,
                                           .warnings = &warn_of_network_policy},
                              .rules = &kNetworkPolicyRules,
                              .defaults = &kNetworkPolicyDefaults,
                              .print = &print_network_policy};

}  // namespace tabernetes::registry::kinds
