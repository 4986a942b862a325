// Endpoints. Source: upstream 1.36 pkg/apis/core/validation.
#include <string>
#include <vector>

#include "json/access.h"
#include "kinds/row/kind.h"
#include "kinds/shared/addresses.h"
#include "kinds/shared/labels.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kEndpointsRules, R"(
?~subsets
 subsets[]
  ?!addresses
   ?!notReadyAddresses
    . need "must specify `addresses` or `notReadyAddresses`"
  addresses[] &endpoint-address
  notReadyAddresses[] &endpoint-address
  ports[]
   ?several
    name required
   name opt is:label
   port range:1-65535
   protocol required enum:SCTP,TCP,UDP
   appProtocol given is:qualified
)");

TAB_DEFAULTS(kEndpointsDefaults, R"(
subsets[].ports[].protocol default=TCP
)");

TAB_RULES(kEndpointAddressRules, R"(
ip is:ip
hostname opt is:label
nodeName given is:subdomain
ip is:endpoint-ip
)");

namespace {

using json::Value;

std::string host_and_port(std::string_view host, std::int64_t port) {
  const bool bracketed = host.find(':') != std::string_view::npos;
  std::string text = bracketed ? "[" + std::string(host) + "]" : std::string(host);
  return text + ":" + std::to_string(port);
}

std::string endpoints_text(const Value& object) {
  std::vector<std::string> texts;
  const auto subsets = items_at(object, {"subsets"});
  if (subsets.empty()) return std::string(kNone);
  for (const Value& subset : subsets) {
    const auto ports = items_at(subset, {"ports"});
    for (const Value& port : ports) {
      for (const Value& address : items_at(subset, {"addresses"})) {
        texts.push_back(host_and_port(address.string_at("ip"), number_at(port, {"port"})));
      }
    }
    if (!ports.empty()) continue;
    for (const Value& address : items_at(subset, {"addresses"})) {
      texts.emplace_back(address.string_at("ip"));
    }
  }
  return join_first(texts, 3);
}

void print_endpoints(const Value& object, Row& row) {
  row.name(object);
  row.text(endpoints_text(object));
  row.age(object);
}

void warn_of_endpoints(const Field& object, const Value*, Warnings& out) {
  if (has_label(object, "endpoints.kubernetes.io/managed-by", "endpoint-controller")) return;
  const Field subsets = object["subsets"];
  for (const Field subset : subsets.items()) {
    for (const std::string_view name : {"addresses", "notReadyAddresses"}) {
      const Field list = subset[name];
      for (const Field address : list.items()) warn_of_ip(address["ip"], out);
    }
  }
}

}  // namespace

extern const Kind kEndpointsKind{
    .group = "",
    .kind = "Endpoints",
    .strategy = {.meta_passes = {"CF", "UFCF", "UF"},
                 .etcd_path = "services/endpoints",
                 .allow_create_on_update = true,
                 .deprecation =
                     "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
                 .warnings = &warn_of_endpoints},
    .rules = &kEndpointsRules,
    .defaults = &kEndpointsDefaults,
    .print = &print_endpoints};

}  // namespace tabernetes::registry::kinds
