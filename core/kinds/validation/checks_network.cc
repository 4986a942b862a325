// Checks of services, endpoints, ingresses, network policies and addresses. Source: upstream 1.36
// pkg/apis/core/validation, networking/validation, discovery/validation.

#include <string>

#include "base/go/text.h"
#include "base/net/ip_address.h"
#include "codec/json_writer.h"
#include "json/equality.h"
#include "kinds/validation/checks.h"

namespace tabernetes::registry::validation {
TAB_RULES(kIPFamilyRules, R"(
ipFamilies[] enum:IPv4,IPv6 distinct
ipFamilyPolicy given enum:PreferDualStack,RequireDualStack,SingleStack
)");

TAB_RULES(kBalancerClassRules, R"(
spec.loadBalancerClass immutable "may not change once set"
)");

TAB_RULES(kHealthCheckPortRules, R"(
spec.healthCheckNodePort immutable=forbid "field is immutable"
)");

namespace {

using json::Value;

constexpr std::string_view kMayNotChange = "may not change once set";

bool is_v6(std::string_view text) {
  const auto ip = parse_ip(text);
  return ip && !ip->v4;
}

std::string printed_list(const Field& list) { return list.present() ? list.printed() : "null"; }

// --- Services

void service_annotations(const Place& place) {
  const Field metadata = place.now["metadata"];
  const Field annotations = metadata["annotations"];
  const Field hints = annotations.key("service.kubernetes.io/topology-aware-hints");
  const Field mode = annotations.key("service.kubernetes.io/topology-mode");
  if (hints.present() && mode.present() && !hints.same(mode)) {
    mode.invalid(
        "must match annotations[service.kubernetes.io/topology-aware-hints] when both are "
        "specified");
  }
}

// Checks the addresses and families of the spec.
void service_addresses(const Place& place) {
  const Field& spec = place.now;
  const Field addresses = spec["clusterIPs"];
  const std::string_view first = spec.text_at("clusterIP");
  if (!first.empty()) {
    if (addresses.empty()) {
      addresses.required();
    } else if (addresses.value()->items()[0].as_string() != first) {
      addresses.invalid("first value must match `clusterIP`");
    }
  } else if (!addresses.empty()) {
    addresses.invalid("must be empty when `clusterIP` is not specified");
  }
  kIPFamilyRules.check(place);
  const std::size_t before = spec.errors().size();
  for (const Field address : addresses.items()) {
    if (address.index() == 0 && address.is("None")) {
      if (addresses.size() > 1) addresses.invalid("'None' must be the first and only value");
      continue;
    }
    address.invalid(ip_faults(address.text()));
  }
  const bool faulty = spec.errors().size() != before;
  if (addresses.size() > 2) addresses.invalid("may only hold up to 2 values");
  if (faulty) return;
  if (addresses.size() > 1) {
    bool v4 = false;
    bool v6 = false;
    for (const Field address : addresses.items()) (is_v6(address.text()) ? v6 : v4) = true;
    if (!v4 || !v6) addresses.invalid("may specify no more than one IP for each IP family");
  }
  if (first == "None") return;
  const Field families = spec["ipFamilies"];
  for (const Field address : addresses.items()) {
    if (address.index() >= families.size()) break;
    const std::string_view family = families.value()->items()[address.index()].as_string();
    const std::string where = "`ipFamilies[" + std::to_string(address.index()) + "]`";
    if (family == "IPv4" && is_v6(address.text())) {
      address.invalid("expected an IPv4 value as indicated by " + where);
    } else if (family == "IPv6" && !is_v6(address.text())) {
      address.invalid("expected an IPv6 value as indicated by " + where);
    }
  }
}

// Returns true if an earlier port has the same protocol and the same number at `name`.
bool is_repeated(const Field& ports, const Field& port, std::string_view name) {
  for (std::uint32_t i = 0; i < port.index(); ++i) {
    const Value& other = ports.value()->items()[i];
    if (same_member(*port.value(), other, name) && same_member(*port.value(), other, "protocol")) {
      return true;
    }
  }
  return false;
}

// Checks the spec for duplicate ports of the same protocol.
void service_ports(const Place& place) {
  const Field ports = place.now["ports"];
  for (const Field port : ports.items()) {
    const Field number = port["nodePort"];
    if (number.number() != 0 && is_repeated(ports, port, "nodePort")) number.duplicate();
  }
  for (const Field port : ports.items()) {
    if (!is_repeated(ports, port, "port")) continue;
    // Prints the internal type with only the key fields set.
    port.duplicate_as(R"({"Name":"","Protocol":)" + go_quote(port.text_at("protocol")) +
                      R"(,"AppProtocol":null,"Port":)" + std::to_string(port.number_at("port")) +
                      R"(,"TargetPort":0,"NodePort":0})");
  }
}

void source_range(const Place& place) {
  std::string_view text = place.now.text();
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  for (const std::string& fault : cidr_faults(text)) place.now.invalid_string(text, fault);
}

// Checks a list that may grow or shrink at its end, but must keep its start: addresses, families.
void kept_beginning(const Place& place, std::string_view name, std::string_view member,
                    bool counts) {
  const Field spec = place.now["spec"];
  const Field list = spec[name];
  const Value* old = place.old->at({"spec", name});
  const std::uint32_t before = old == nullptr ? 0 : old->size();
  const std::uint32_t now = list.size();
  const auto differs = [&](std::uint32_t i) {
    return !json::deep_equal(list.value()->items()[i], old->items()[i]);
  };
  // Reports at an item that may be missing.
  const auto refuse = [&](std::uint32_t i, std::string_view shown, std::string_view why) {
    const field::Path path = list.path().index(i);
    spec.errors().push_back(field::invalid(path, shown, why));
  };
  if (before == now) {
    for (std::uint32_t i = 0; i < now; ++i) {
      if (differs(i)) refuse(counts ? i : 0, list.printed(), kMayNotChange);
    }
    return;
  }
  if (before > now && spec["clusterIPs"].empty()) {
    refuse(0, printed_list(list), "primary " + std::string(member) + " can not be unset");
  }
  if (before > 0 && now > 0 && differs(0)) {
    refuse(0, printed_list(spec["clusterIPs"]), kMayNotChange);
  }
  const Field policy = spec["ipFamilyPolicy"];
  if (before > now && now == 1 && !policy.is("SingleStack")) {
    policy.invalid_printed(
        policy.present() ? policy.printed() : "null",
        "must be set to 'SingleStack' when releasing the secondary " + std::string(member));
  }
}

bool is_headless(const Value* service) {
  const Value* address = service->at({"spec", "clusterIP"});
  return address != nullptr && address->is_string() && address->as_string() == "None";
}

std::string_view type_of(const Value* service) {
  const Value* spec = service->find("spec");
  return spec == nullptr ? std::string_view() : spec->string_at("type");
}

void service_change(const Place& place) {
  const Value* now = place.now.value();
  const bool headless = is_headless(now);
  const bool was_headless = is_headless(place.old);
  if (type_of(now) != "ExternalName" && type_of(place.old) != "ExternalName") {
    if (!headless || !was_headless) kept_beginning(place, "clusterIPs", "clusterIP", true);
    if (!headless && !was_headless) kept_beginning(place, "ipFamilies", "ipFamily", false);
  }
  if (type_of(now) != "LoadBalancer" || type_of(place.old) != "LoadBalancer") return;
  kBalancerClassRules.check(place);
  const auto local = [](const Value* service) {
    return service->find("spec")->string_at("externalTrafficPolicy") == "Local";
  };
  if (local(now) && local(place.old)) {
    kHealthCheckPortRules.check(place);
  }
}

// --- Endpoint slices

void slice_addresses(const Place& place, bool v6) {
  const Field& list = place.now;
  for (const Field address : list.items()) {
    const Format format = v6 ? &canonical_ip_faults : &ip_faults;
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

// --- Ingresses

void absolute_path(const Place& place) {
  if (!place.now.text().starts_with('/')) place.now.invalid("must be an absolute path");
}

void ingress_path(const Place& place) {
  absolute_path(place);
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

// --- Policies

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
    item.invalid(cidr_faults(item.text()));
    const auto inner = parse_ip_range(item.text());
    if (inner && (!range->contains(inner->address) || range->bits >= inner->bits)) {
      item.invalid("must be a strict subset of `cidr`");
    }
  }
}

// --- Addresses

void cidrs(const Place& place) {
  const Field& list = place.now;
  if (list.size() > 2) {
    return list.invalid_printed(R"({"CIDRs":)" + list.printed() + "}",
                                "may only hold up to 2 values");
  }
  for (const Field item : list.items()) item.invalid(canonical_cidr_faults(item.text()));
  if (list.size() != 2) return;
  const auto first = parse_ip_range(list.value()->items()[0].as_string());
  const auto second = parse_ip_range(list.value()->items()[1].as_string());
  if (first && second && first->address.v4 == second->address.v4) {
    list.invalid(
        "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64");
  }
}

void cidrs_change(const Place& place) {
  const Field spec = place.now["spec"];
  const Field list = spec["cidrs"];
  const Value* old = place.old->at({"spec", "cidrs"});
  const std::uint32_t before = old == nullptr ? 0 : old->size();
  if (list.size() != before && (list.size() != 2 || before != 1)) {
    return list.invalid_printed(printed_list(list), field::kImmutable);
  }
  for (const Field item : list.items()) {
    if (item.index() < before && !json::deep_equal(*item.value(), old->items()[item.index()])) {
      item.invalid(field::kImmutable);
    }
  }
  if (list.size() != before) cidrs({list, nullptr, place.write, place.root});
}

}  // namespace

const NamedCheck kNetworkChecks[] = {
    {"service-annotations", &service_annotations},
    {"service-addresses", &service_addresses},
    {"service-ports", &service_ports},
    {"service-change", &service_change},
    {"source-range", &source_range},
    {"slice-ipv4", &slice_v4},
    {"slice-ipv6", &slice_v6},
    {"absolute-path", &absolute_path},
    {"ingress-path", &ingress_path},
    {"ingress-class-annotation", &ingress_class_annotation},
    {"port-range", &port_range},
    {"exceptions", &exceptions},
    {"cidrs", &cidrs},
    {"cidrs-change", &cidrs_change},
};

}  // namespace tabernetes::registry::validation
