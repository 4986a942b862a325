// Checks of services: addresses, families, ports, changes. Source: upstream 1.36
// pkg/apis/core/validation.
#include <string>

#include "base/go/text.h"
#include "json/equality.h"
#include "kinds/shared/addresses.h"
#include "kinds/shared/lists.h"
#include "rules/formats.h"

namespace tabernetes::registry::kinds {

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

// network
TAB_RULES(kExternalPolicyRules, R"(
externalTrafficPolicy required enum:Cluster,Local
)");

TAB_RULES(kNoExternalPolicyRules, R"(
externalTrafficPolicy opt bad "may only be set for externally-accessible services"
)");

TAB_RULES(kNoHealthPortRules, R"(
healthCheckNodePort opt bad "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
)");

namespace {

using json::Value;

constexpr std::string_view kMayNotChange = "may not change once set";

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
    address.invalid(ip_format(address.capabilities())(address.text()));
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
  const Format format = cidr_format(place.now.capabilities());
  for (const std::string& fault : format(text)) place.now.invalid_string(text, fault);
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

}  // namespace

extern const NamedCheck kServiceValidationChecks[] = {
    {"service-annotations", &service_annotations},
    {"service-addresses", &service_addresses},
    {"service-ports", &service_ports},
    {"source-range", &source_range},
    {"service-change", &service_change},
};

}  // namespace tabernetes::registry::kinds
