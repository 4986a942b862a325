// NetworkPolicy of networking.k8s.io. Source: upstream 1.36 pkg/apis/networking/validation.
#include "base/net/ip_address.h"
#include "kinds/row/kind.h"
#include "kinds/shared/addresses.h"
#include "kinds/shared/checks.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"
#include "rules/formats.h"

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

namespace {

using json::Value;

void print_network_policy(const Value& object, Row& row) {
  row.name(object);
  row.text(selector_text(object.at({"spec", "podSelector"})));
  row.age(object);
}

void port_range(const Place& place) {
  const Field number = place.now["port"];
  const Field end = place.now["endPort"];
  if (!number.present()) {
    if (end.present()) end.invalid("may not be specified when `port` is not specified");
    return;
  }
  const bool named = number.value()->is_string();
  if (named && end.present()) end.invalid("may not be specified when `port` is non-numeric");
  check_port({number, nullptr, place.write, place.root});
  if (named || !end.present()) return;
  if (end.number() < number.number()) {
    end.invalid_printed(number.printed(), "must be greater than or equal to `port`");
  }
  check_port({end, nullptr, place.write, place.root});
}

// Checks the exceptions of an ipBlock.
void exceptions(const Place& place) {
  const auto range = parse_ip_range(place.now.text_at("cidr"));
  if (!range) return;
  const Field list = place.now["except"];
  for (const Field item : list.items()) {
    item.invalid(cidr_format(item.capabilities())(item.text()));
    const auto inner = parse_ip_range(item.text());
    if (inner && (!range->contains(inner->address) || range->bits >= inner->bits)) {
      item.invalid("must be a strict subset of `cidr`");
    }
  }
}

void warn_of_peers(const Field& rules, std::string_view side, Warnings& out) {
  for (const Field rule : rules.items()) {
    const Field peers = rule[side];
    for (const Field peer : peers.items()) {
      const Field block = peer["ipBlock"];
      if (!block.present()) continue;
      warn_of_cidr(block["cidr"], out);
      warn_of_cidrs(block["except"], out);
    }
  }
}

void warn_of_network_policy(const Field& object, const Value*, Warnings& out) {
  const Field spec = object["spec"];
  warn_of_peers(spec["ingress"], "from", out);
  warn_of_peers(spec["egress"], "to", out);
}

}  // namespace

extern const NamedCheck kNetworkPolicyChecks[] = {
    {"port-range", &port_range},
    {"exceptions", &exceptions},
};

extern const Kind kNetworkPolicyKind{.group = "networking.k8s.io",
                                     .kind = "NetworkPolicy",
                                     .strategy = {.meta_passes = {"CF", "UF", "UF"},
                                                  .generation = Generation::kSpec,
                                                  .warnings = &warn_of_network_policy},
                                     .rules = &kNetworkPolicyRules,
                                     .defaults = &kNetworkPolicyDefaults,
                                     .print = &print_network_policy};

}  // namespace tabernetes::registry::kinds
