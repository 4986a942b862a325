// EndpointSlice of discovery.k8s.io. Source: upstream 1.36 pkg/apis/discovery/validation.
#include <string>
#include <vector>

#include "json/access.h"
#include "json/equality.h"
#include "kinds/row/kind.h"
#include "kinds/shared/addresses.h"
#include "kinds/shared/labels.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"
#include "rules/formats.h"

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

void slice_addresses(const Place& place, bool v6) {
  const Field& list = place.now;
  for (const Field address : list.items()) {
    const Format format = v6 ? &canonical_ip_faults : ip_format(address.capabilities());
    if (!address.invalid(format(address.text()))) continue;
    if (is_v6(address.text()) != v6) {
      list.invalid_string(address.text(),
                          v6 ? "must be an IPv6 address" : "must be an IPv4 address");
    }
    address.invalid(endpoint_ip_faults(address.text()));
  }
}

void slice_v4(const Place& place) { slice_addresses(place, false); }
void slice_v6(const Place& place) { slice_addresses(place, true); }

void warn_of_endpoint_slice(const Field& object, const Value* old, Warnings& out) {
  if (old == nullptr && object.text_at("addressType") == "FQDN") {
    out.add({"spec.addressType: FQDN endpoints are deprecated"});
  }
  for (const std::string_view controller :
       {"endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"}) {
    if (has_label(object, "endpointslice.kubernetes.io/managed-by", controller)) return;
  }
  const Field endpoints = object["endpoints"];
  for (const Field endpoint : endpoints.items()) warn_of_ips(endpoint["addresses"], out);
}

// The field of v1beta1 cannot be written by v1.
void drop_topology(Value& slice) {
  for (Value& endpoint : items_in(slice, "endpoints")) endpoint.erase("deprecatedTopology");
}

void prepare_endpoint_slice_for_create(const HookContext&, Value& slice) { drop_topology(slice); }

void prepare_endpoint_slice_for_update(const HookContext&, Value& slice, const Value& old) {
  if (!json::deep_equal(slice.find("endpoints"), old.find("endpoints"))) drop_topology(slice);
}

}  // namespace

extern const NamedCheck kEndpointSliceChecks[] = {
    {"slice-ipv6", &slice_v6},
    {"slice-ipv4", &slice_v4},
};

extern const Kind kEndpointSliceKind{
    .group = "discovery.k8s.io",
    .kind = "EndpointSlice",
    .strategy = {.meta_passes = {"CF", "CF", ""},
                 .generation = Generation::kEverything,
                 .prepare_for_create = &prepare_endpoint_slice_for_create,
                 .prepare_for_update = &prepare_endpoint_slice_for_update,
                 .warnings = &warn_of_endpoint_slice},
    .rules = &kEndpointSliceRules,
    .defaults = &kEndpointSliceDefaults,
    .print = &print_endpoint_slice};

}  // namespace tabernetes::registry::kinds
