// Ingress of networking.k8s.io. Source: upstream 1.36 pkg/apis/networking/validation.
#include <string>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/parts.h"
#include "json/access.h"
#include "kinds/kinds.h"
#include "kinds/warn.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kIngressRules, R"(
on create update
 spec
  ?!rules
   ?!defaultBackend
    . bad=null "either `defaultBackend` or `rules` must be specified"
  defaultBackend given &ingress-backend
  rules[]
   host opt is:rule-host
   http given
    paths required
    paths[]
     pathType present "pathType must be specified"
     ?+pathType
      ?pathType=Exact|Prefix
       path @ingress-path
      ?pathType=ImplementationSpecific
       path opt @absolute-path
      pathType enum:Exact,ImplementationSpecific,Prefix
      backend &ingress-backend
  tls[]
   hosts[] is:host
   secretName opt is:subdomain
  ingressClassName given is:subdomain
 on create
  @ingress-class-annotation
on status
 status.loadBalancer.ingress[]
  ip opt is:ip
  hostname opt is:balancer-host
)");

namespace {

using json::Value;

// Returns at most three hosts. The number of remaining ones counts rules, not hosts.
std::string ingress_hosts(const Value& ingress) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> hosts;
  bool more = false;
  const auto rules = items_at(ingress, {"spec", "rules"});
  for (const Value& rule : rules) {
    if (hosts.size() == kShown) {
      more = true;
      break;
    }
    const std::string_view host = rule.string_at("host");
    if (!host.empty()) hosts.emplace_back(host);
  }
  if (hosts.empty()) return "*";
  std::string text = join(hosts, ",");
  if (more) text += " + " + std::to_string(rules.size() - kShown) + " more...";
  return text;
}

void print_ingress(const Value& object, Row& row) {
  row.name(object);
  row.text(text_if_set(object, {"spec", "ingressClassName"}, kNone));
  row.text(ingress_hosts(object));
  row.text(load_balancer_addresses(object));
  row.text(items_at(object, {"spec", "tls"}).empty() ? "80" : "80, 443");
  row.age(object);
}

}  // namespace

const Kind kIngressKind{.group = "networking.k8s.io",
                        .kind = "Ingress",
                        .strategy = {.meta_passes = {"CF", "UFCF", "UF"},
                                     .etcd_path = "ingress",
                                     .generation = Generation::kSpec,
                                     .warnings = &warn_of_ingress,
                                     .status_warnings = &warn_of_balancer_status},
                        .rules = &kIngressRules,
                        .print = &print_ingress};

}  // namespace tabernetes::registry::kinds
