// Ingress of networking.k8s.io. Source: upstream 1.36 pkg/apis/networking/validation.
#include <string>
#include <vector>

#include "base/text/parts.h"
#include "json/access.h"
#include "json/equality.h"
#include "kinds/row/kind.h"
#include "kinds/shared/addresses.h"
#include "kinds/shared/checks.h"
#include "kinds/shared/labels.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"

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

TAB_RULES(kIngressBackendRules, R"(
?resource
 ?service
  . bad="" "cannot set both resource and service backends"
 ?!service
  resource &local-reference
?!resource
 ?service
  service.name required
  ?@relaxed-service-names
   service.name opt is:label
  ?!@relaxed-service-names
   service.name opt is:label1035
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

void ingress_path(const Place& place) {
  check_absolute_path(place);
  const std::string_view text = place.now.text();
  for (const std::string_view part : {"//", "/./", "/../", "%2f", "%2F"}) {
    if (text.find(part) != std::string_view::npos) {
      place.now.invalid("must not contain '" + std::string(part) + "'");
    }
  }
  for (const std::string_view end : {"/..", "/."}) {
    if (text.ends_with(end)) place.now.invalid("cannot end with '" + std::string(end) + "'");
  }
}

// Returns true if the backend has a service whose name is no label of RFC 1035.
bool has_relaxed_name(const Value* backend) {
  if (backend == nullptr) return false;
  const std::string_view name = text_at(*backend, {"service", "name"});
  return !name.empty() && !dns1035_label_faults(name).empty();
}

// Returns true if services may have names that start with a digit: by a feature gate, or since the
// ingress had such a name before.
bool relaxed_service_names(const Place& place) {
  if (place.now.capabilities().enabled("RelaxedServiceNameValidation")) return true;
  const Place* whole = &place;
  while (whole->around != nullptr) whole = whole->around;
  if (whole->old == nullptr) return false;
  const Value& old = *whole->old;
  if (has_relaxed_name(old.at({"spec", "defaultBackend"}))) return true;
  for (const Value& rule : items_at(old, {"spec", "rules"})) {
    for (const Value& path : items_at(rule, {"http", "paths"})) {
      if (has_relaxed_name(path.find("backend"))) return true;
    }
  }
  return false;
}

void ingress_class_annotation(const Place& place) {
  const Value* annotations = place.root->at({"metadata", "annotations"});
  const Value* name = place.root->at({"spec", "ingressClassName"});
  if (annotations == nullptr || name == nullptr) return;
  const Value* given = annotations->find("kubernetes.io/ingress.class");
  if (given == nullptr || json::deep_equal(*given, *name)) return;
  const Field shown = place.now["annotations"];
  const Field annotation = shown["kubernetes.io/ingress.class"];
  annotation.invalid_string(given->as_string(),
                            "must match `ingressClassName` when both are specified");
}

void warn_of_ingress(const Field& object, const Value* old, Warnings& out) {
  if (old == nullptr && has_annotation(*object.value(), "kubernetes.io/ingress.class") &&
      !object["spec"].has("ingressClassName")) {
    out.add(
        {"annotation \"kubernetes.io/ingress.class\" is deprecated, please use "
         "'spec.ingressClassName' instead"});
  }
}

}  // namespace

extern const NamedPredicate kIngressPredicates[] = {
    {"relaxed-service-names", &relaxed_service_names},
};
extern const NamedCheck kIngressChecks[] = {
    {"ingress-path", &ingress_path},
    {"ingress-class-annotation", &ingress_class_annotation},
};

extern const Kind kIngressKind{.group = "networking.k8s.io",
                               .kind = "Ingress",
                               .strategy = {.meta_passes = {"CF", "UFCF", "UF"},
                                            .etcd_path = "ingress",
                                            .generation = Generation::kSpec,
                                            .warnings = &warn_of_ingress,
                                            .status_warnings = &warn_of_balancer_status},
                               .rules = &kIngressRules,
                               .print = &print_ingress};

}  // namespace tabernetes::registry::kinds
