// EndpointSlice of discovery.k8s.io. Source: upstream 1.36 pkg/apis/discovery/validation.
#include <string>
#include <vector>

#include "base/text/ascii.h"
#include "json/access.h"
#include "kinds/kinds.h"
#include "kinds/warn.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kEndpointSliceRules, R"(
addressType required enum:FQDN,IPv4,IPv6
ports max:20000
 []
  name opt is:label
  name distinct
  protocol present enum:SCTP,TCP,UDP
  appProtocol given is:qualified
?~endpoints
 endpoints max:1000
  []
   addresses required "must contain at least 1 address"
   addresses max:100
   ?/addressType=IPv4
    addresses @slice-ipv4
   ?/addressType=IPv6
    addresses @slice-ipv6
   ?/addressType=FQDN
    addresses[] required is:fqdn
   nodeName given is:subdomain
   deprecatedTopology max:16 @labels
   hostname given is:label
   hints
    forZones max:8
     [].name distinct is:label-value
    forNodes max:8
     [].name distinct is:subdomain
on update
 addressType immutable
)");

TAB_DEFAULTS(kEndpointSliceDefaults, R"(
ports[]
 name fill=""
 protocol fill=TCP
)");

namespace {

using json::Value;

std::string slice_ports(const Value& slice) {
  std::vector<std::string> texts;
  for (const Value& port : items_at(slice, {"ports"})) {
    if (has(port, {"port"})) {
      texts.push_back(std::to_string(number_at(port, {"port"})));
    } else {
      texts.emplace_back(text_if_set(port, {"name"}, "*"));
    }
  }
  return first_or_unset(texts);
}

std::string slice_addresses(const Value& slice) {
  std::vector<std::string> texts;
  for (const Value& endpoint : items_at(slice, {"endpoints"})) {
    for (const Value& address : items_at(endpoint, {"addresses"})) {
      if (address.is_string()) texts.emplace_back(address.as_string());
    }
  }
  return first_or_unset(texts);
}

void print_endpoint_slice(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"addressType"}));
  row.text(slice_ports(object));
  row.text(slice_addresses(object));
  row.age(object);
}

}  // namespace

const Kind kEndpointSliceKind{.group = "discovery.k8s.io",
                              .kind = "EndpointSlice",
                              .strategy = {.meta_passes = {"CF", "CF", ""},
                                           .generation = Generation::kEverything,
                                           .warnings = &warn_of_endpoint_slice},
                              .rules = &kEndpointSliceRules,
                              .defaults = &kEndpointSliceDefaults,
                              .print = &print_endpoint_slice};

}  // namespace tabernetes::registry::kinds
