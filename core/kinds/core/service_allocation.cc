#include "kinds/core/service_allocation.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/go/text.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"
#include "kinds/core/allocations.h"
#include "kinds/core/service_addresses.h"
#include "kinds/shared/checks.h"

namespace tabernetes::registry::kinds {
TAB_RULES(kAddressRules, "spec @service-addresses");

namespace {

using json::Arena;
using json::Value;

constexpr std::string_view kServiceNone = "None";
constexpr std::int64_t kAffinitySeconds = 10800;
// The label of IPAddresses that servers make for Services.
constexpr std::string_view kManagedBy = "ipaddress.kubernetes.io/managed-by",
                           kAllocatorName = "ipallocator.k8s.io";

// The properties of a service that follow mainly from its type.
class ServiceProperties {
 public:
  explicit ServiceProperties(const Value* spec) : spec_(spec) {}

  bool has_address() const { return !type().empty() && type() != "ExternalName"; }
  bool headless() const { return text("clusterIP") == kServiceNone; }
  bool has_node_ports() const {
    if (type() == "NodePort") return true;
    const Value* wanted = spec_ == nullptr ? nullptr : spec_->find("allocateLoadBalancerNodePorts");
    const bool refused = wanted != nullptr && wanted->is_bool() && !wanted->as_bool();
    return balanced() && !refused;
  }
  bool may_have_node_ports() const { return type() == "NodePort" || balanced(); }
  bool balanced() const { return type() == "LoadBalancer"; }
  bool has_health_port() const { return balanced() && text("externalTrafficPolicy") == "Local"; }
  bool has_external_policy() const {
    const Value* addresses = spec_ == nullptr ? nullptr : spec_->find("externalIPs");
    const bool reachable = type() == "ClusterIP" && addresses != nullptr && addresses->size() > 0;
    return may_have_node_ports() || reachable;
  }

 private:
  std::string_view type() const { return text("type"); }
  std::string_view text(std::string_view field) const {
    return spec_ == nullptr ? std::string_view() : spec_->string_at(field);
  }

  const Value* spec_;
};

void take_if_missing(Value& spec, const Value& old, std::string_view key, Arena& arena) {
  const Value* before = old.find(key);
  if (before != nullptr && spec.find(key) == nullptr) spec.append(arena, key, before->clone(arena));
}

void erase_if_same(Value& spec, const Value& old, std::string_view key) {
  if (same_member(spec, old, key)) spec.erase(key);
}

void set_port_defaults(Value& port, Arena& arena) {
  fill_text(port, "protocol", "TCP", arena);
  const Value* target = port.find("targetPort");
  const bool unset = target == nullptr || target->is_null() ||
                     (target->is_int() && target->as_int() == 0) ||
                     (target->is_string() && target->as_string().empty());
  const Value* number = port.find("port");
  if (unset && number != nullptr) port.set(arena, "targetPort", Value(*number));
}

void set_affinity_defaults(Value& spec, Arena& arena) {
  fill_text(spec, "sessionAffinity", kServiceNone, arena);
  if (spec.string_at("sessionAffinity") == kServiceNone) spec.erase("sessionAffinityConfig");
  if (spec.string_at("sessionAffinity") != "ClientIP") return;
  Value& config = object_or_new(spec, "sessionAffinityConfig", arena);
  fill_int(object_or_new(config, "clientIP", arena), "timeoutSeconds", kAffinitySeconds, arena);
}

// Sets clusterIP and clusterIPs[0], which are the same field, to the same value.
void sync_cluster_ips(Value& spec, const Value* old, Arena& arena) {
  const std::string_view address = spec.string_at("clusterIP");
  const bool moved = old == nullptr || address != old->string_at("clusterIP");
  if (moved && !address.empty() && spec.find("clusterIPs") == nullptr) {
    Value list = Value::array(arena);
    list.push_back(arena, Value::string(address));
    spec.set(arena, "clusterIPs", list);
    return;
  }
  if (old == nullptr) return;
  if (address == old->string_at("clusterIP") || !same_member(spec, *old, "clusterIPs")) return;
  if (address.empty()) {
    spec.erase("clusterIPs");
    return;
  }
  Value list = Value::array(arena);
  list.push_back(arena, Value::string(address));
  const auto rest = items_in(spec, "clusterIPs");
  for (std::uint32_t i = 1; i < rest.size(); ++i) list.push_back(arena, rest[i]);
  spec.set(arena, "clusterIPs", list);
}

// Keeps allocated values that an update does not repeat.
void keep_allocated(Value& spec, const Value& old, Arena& arena) {
  const ServiceProperties now(&spec);
  const ServiceProperties before(&old);
  if (now.has_address() && before.has_address()) {
    if (spec.string_at("clusterIP").empty()) take_if_missing(spec, old, "clusterIP", arena);
    if (spec.string_at("clusterIP") == old.string_at("clusterIP")) {
      take_if_missing(spec, old, "clusterIPs", arena);
    }
    take_if_missing(spec, old, "ipFamilyPolicy", arena);
    take_if_missing(spec, old, "ipFamilies", arena);
  }
  if (now.has_node_ports() && before.has_node_ports()) {
    for (Value& port : items_in(spec, "ports")) {
      if (number_at(port, {"nodePort"}) != 0) continue;
      for (const Value& candidate : items_in(old, "ports")) {
        if (same_member(port, candidate, "port") && same_member(port, candidate, "protocol") &&
            number_at(candidate, {"nodePort"}) != 0) {
          fill_number(port, "nodePort", number_at(candidate, {"nodePort"}), arena);
          break;
        }
      }
    }
  }
  if (now.has_health_port() && before.has_health_port()) {
    take_if_missing(spec, old, "healthCheckNodePort", arena);
  }
}

// Returns true if a node port is new; ignores other changes of the ports.
bool has_new_node_ports(const Value& spec, const Value& old) {
  const auto before = items_in(old, "ports");
  for (const Value& port : items_in(spec, "ports")) {
    const std::int64_t number = number_at(port, {"nodePort"});
    const auto is_same = [&](const Value& other) {
      return number_at(other, {"nodePort"}) == number;
    };
    if (number != 0 && std::none_of(before.begin(), before.end(), is_same)) return true;
  }
  return false;
}

// Drops fields that only the old type has, unless the client changed them too.
void drop_fields_of_old_type(Value& spec, const Value& old) {
  const ServiceProperties now(&spec);
  const ServiceProperties before(&old);
  if (before.has_address() && !now.has_address()) {
    if (same_member(spec, old, "clusterIPs")) {
      spec.erase("clusterIP");
      spec.erase("clusterIPs");
    }
    for (const std::string_view field : {"ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"}) {
      erase_if_same(spec, old, field);
    }
  }
  if (before.may_have_node_ports() && !now.may_have_node_ports() &&
      !has_new_node_ports(spec, old)) {
    for (Value& port : items_in(spec, "ports")) port.erase("nodePort");
  }
  if (before.has_health_port() && !now.has_health_port()) {
    erase_if_same(spec, old, "healthCheckNodePort");
  }
  if (before.balanced() && !now.balanced()) {
    erase_if_same(spec, old, "allocateLoadBalancerNodePorts");
    erase_if_same(spec, old, "loadBalancerClass");
  }
  if (before.has_external_policy() && !now.has_external_policy()) {
    erase_if_same(spec, old, "externalTrafficPolicy");
  }
}

Failure invalid_service(const Value& service, const field::Error& error) {
  const Value* metadata = service.find("metadata");
  return field::invalid_status(
      {"", "Service"}, metadata == nullptr ? std::string_view() : metadata->string_at("name"),
      {error});
}

std::string printed_addresses(std::string_view address) {
  return "[\"" + std::string(address) + "\"]";
}

std::string printed_addresses(json::Range<Value> addresses) {
  std::string text = "[";
  for (const Value& address : addresses) {
    text.append(text.size() > 1 ? "," : "").append(go_quote(address.as_string()));
  }
  return text + "]";
}

Failure invalid_service(const Value& service, const field::ErrorList& errors) {
  const Value* metadata = service.find("metadata");
  return field::invalid_status(
      {"", "Service"}, metadata == nullptr ? std::string_view() : metadata->string_at("name"),
      errors);
}

// Returns upstream's errors about addresses and families, which it reports before allocation.
field::ErrorList family_errors(const Value& service, std::string_view policy) {
  field::ErrorList errors;
  const Field whole(service, errors);
  kAddressRules.check(Write::kCreate, whole, nullptr);
  if (!errors.empty() || policy != "SingleStack") return errors;
  const Field spec = whole["spec"];
  const Field shown = spec["ipFamilyPolicy"];
  constexpr std::string_view kNeedsTwo = "must be 'RequireDualStack' or 'PreferDualStack' when ";
  if (spec["clusterIPs"].size() == 2) {
    shown.invalid(std::string(kNeedsTwo) + "multiple cluster IPs are specified");
  }
  if (spec["ipFamilies"].size() == 2) {
    shown.invalid(std::string(kNeedsTwo) + "multiple IP families are specified");
  }
  return errors;
}

// Sets the IP families: the cluster has only IPv4.
Result<void> choose_families(const HookContext& context, const Value& service, Value& spec) {
  const bool without_selector =
      ServiceProperties(&spec).headless() && spec.find("selector") == nullptr;
  if (spec.string_at("ipFamilyPolicy").empty()) {
    spec.set(context.arena, "ipFamilyPolicy",
             Value::string(without_selector ? "RequireDualStack" : "SingleStack"));
  }
  const std::string_view policy = spec.string_at("ipFamilyPolicy");
  field::ErrorList errors = family_errors(service, policy);
  const field::Path path("spec");
  const auto addresses = items_in(spec, "clusterIPs");
  for (std::uint32_t i = items_in(spec, "ipFamilies").size();
       errors.empty() && i < addresses.size(); ++i) {
    if (addresses[i].as_string().find(':') == std::string_view::npos) continue;
    const field::Path shown = path.child("clusterIPs");
    errors.push_back(field::invalid(shown.index(i), printed_addresses(addresses),
                                    "IPv6 is not configured on this cluster"));
  }
  if (!errors.empty()) return invalid_service(service, errors);
  if (!without_selector) {
    if (policy == "RequireDualStack") {
      errors.push_back(field::invalid(path.child("ipFamilyPolicy"), "\"RequireDualStack\"",
                                      "this cluster is not configured for dual-stack services"));
    }
    const auto families = items_in(spec, "ipFamilies");
    for (std::uint32_t i = 0; i < families.size(); ++i) {
      if (families[i].as_string() == "IPv4") continue;
      errors.push_back(field::invalid(path.child("ipFamilies").index(i),
                                      go_quote(families[i].as_string()),
                                      "not configured on this cluster"));
    }
    if (!errors.empty()) return invalid_service(service, errors);
  }
  const bool none = items_in(spec, "ipFamilies").empty();
  const bool second =
      without_selector && policy != "SingleStack" && items_in(spec, "ipFamilies").size() < 2;
  if (none || second) {
    Value families = Value::array(context.arena);
    const bool v6 = !none && items_in(spec, "ipFamilies")[0].as_string() == "IPv6";
    families.push_back(context.arena, Value::string(v6 ? "IPv6" : "IPv4"));
    if (second) families.push_back(context.arena, Value::string(v6 ? "IPv4" : "IPv6"));
    spec.set(context.arena, "ipFamilies", families);
  }
  return {};
}

Failure refused_address(const Value& service, std::string_view address, std::string_view cause) {
  return invalid_service(
      service,
      field::invalid(field::Path("spec.clusterIPs"), printed_addresses(address),
                     "failed to allocate IP " + std::string(address) + ": " + std::string(cause)));
}

Result<void> choose_address(const HookContext& context, const Value& service, Value& spec,
                            std::string_view old) {
  const std::string_view wanted = spec.string_at("clusterIP");
  if (!wanted.empty() && wanted == old) return {};
  if (!old.empty()) {
    return invalid_service(
        service, field::invalid(field::Path("spec.clusterIPs").index(0), printed_addresses(wanted),
                                "may not change once set"));
  }
  if (wanted == kServiceNone) return {};
  const ServiceAddresses& addresses = allocations_of(context).addresses;
  // A dry run does not allocate: it returns the first address of the range.
  if (wanted.empty() && context.dry_run) {
    spec.set(context.arena, "clusterIP", Value::string("10.96.0.0"));
    sync_cluster_ips(spec, nullptr, context.arena);
    return {};
  }
  if (!wanted.empty()) {
    switch (addresses.state(wanted)) {
      case ServiceAddresses::State::kFree:
        return {};
      case ServiceAddresses::State::kTaken:
        return refused_address(service, wanted, "provided IP is already allocated");
      case ServiceAddresses::State::kOutside:
        return refused_address(service, wanted,
                               "the provided network does not match the current range");
    }
  }
  const auto drawn = addresses.pick(context.entropy);
  if (!drawn) {
    const Value* metadata = service.find("metadata");
    return errors::internal_error(
        "failed to allocate a serviceIP for Service \"" +
        std::string(metadata == nullptr ? std::string_view() : metadata->string_at("name")) +
        "\": range is full");
  }
  spec.set(context.arena, "clusterIP", Value::string(context.arena.copy(*drawn)));
  sync_cluster_ips(spec, nullptr, context.arena);
  return {};
}

Failure refused_port(const Value& service, const field::Path& path, std::int64_t port,
                     std::string_view cause) {
  return invalid_service(service, field::invalid(path, std::to_string(port), cause));
}

// Returns a 422 error unless the port is free, or belongs to this service.
Result<void> check_node_port(const HookContext& context, const Value& service,
                             const field::Path& path, std::int64_t port,
                             const std::vector<std::int64_t>& own) {
  for (const std::int64_t mine : own) {
    if (mine == port) return {};
  }
  switch (allocations_of(context).ports.state(port)) {
    case ServicePorts::State::kFree:
      return {};
    case ServicePorts::State::kTaken:
      return refused_port(service, path, port, "provided port is already allocated");
    case ServicePorts::State::kOutside:
      break;
  }
  return refused_port(service, path, port,
                      "provided port is not in the valid range. The range of "
                      "valid ports is 30000-32767");
}

std::vector<std::int64_t> ports_of(const Value* spec) {
  std::vector<std::int64_t> ports;
  if (spec == nullptr) return ports;
  for (const Value& port : items_in(*spec, "ports")) {
    if (number_at(port, {"nodePort"}) != 0) ports.push_back(number_at(port, {"nodePort"}));
  }
  if (number_at(*spec, {"healthCheckNodePort"}) != 0) {
    ports.push_back(number_at(*spec, {"healthCheckNodePort"}));
  }
  return ports;
}

constexpr std::int64_t kDryRunPort = 32768;

// Returns a free port. `own` are the service's ports: the old ones (the first `before`) and those
// allocated by now. A dry run counts up from a fixed port instead.
Result<std::int64_t> pick_port(const HookContext& context, const std::vector<std::int64_t>& own,
                               std::size_t before) {
  if (context.dry_run) {
    std::int64_t last = own.size() == before ? kDryRunPort : 0;
    for (std::size_t i = before; i < own.size(); ++i) last = std::max(last, own[i]);
    return last + 1;
  }
  const auto drawn = allocations_of(context).ports.pick(context.entropy, own);
  if (drawn) return *drawn;
  return errors::internal_error("failed to allocate a nodePort: range is full");
}

// Returns the node port of the same port with another protocol: TCP and UDP share it.
std::int64_t shared_port(const Value& spec, const Value& port) {
  for (const Value& other : items_in(spec, "ports")) {
    if (!same_member(other, port, "port") || same_member(other, port, "protocol")) continue;
    if (number_at(other, {"nodePort"}) != 0) return number_at(other, {"nodePort"});
  }
  return 0;
}

Result<void> choose_ports(const HookContext& context, const Value& service, Value& spec,
                          const Value* old) {
  const ServiceProperties shape(&spec);
  std::vector<std::int64_t> own = ports_of(old);
  const std::size_t before = own.size();
  const auto ports = items_in(spec, "ports");
  for (std::uint32_t i = 0; i < ports.size() && shape.may_have_node_ports(); ++i) {
    const std::int64_t given = number_at(ports[i], {"nodePort"});
    if (given == 0) continue;
    const field::Path path = field::Path("spec.ports").index(i).child("nodePort");
    // Ports of a new service share a node port only if they are the same port with two protocols.
    for (std::uint32_t j = 0; j < i && old == nullptr; ++j) {
      if (number_at(ports[j], {"nodePort"}) != given || same_member(ports[i], ports[j], "port")) {
        continue;
      }
      return refused_port(service, path, given, "provided port is already allocated");
    }
    TAB_CHECK(check_node_port(context, service, path, given, own));
    own.push_back(given);
  }
  for (std::uint32_t i = 0; i < ports.size() && shape.has_node_ports(); ++i) {
    if (number_at(ports[i], {"nodePort"}) != 0) continue;
    std::int64_t number = shared_port(spec, ports[i]);
    if (number == 0) {
      TAB_TRY(number, pick_port(context, own, before));
    }
    own.push_back(number);
    ports[i].set(context.arena, "nodePort", Value::integer(number));
  }
  if (!shape.has_health_port()) return {};
  const std::int64_t given = number_at(spec, {"healthCheckNodePort"});
  if (given != 0) {
    return check_node_port(context, service, field::Path("spec.healthCheckNodePort"), given, own);
  }
  TAB_TRY(const std::int64_t number, pick_port(context, own, before));
  spec.set(context.arena, "healthCheckNodePort", Value::integer(number));
  return {};
}

void take_all(Allocations& allocations, const Value& service) {
  const Value* spec = service.find("spec");
  if (spec == nullptr) return;
  for (const Value& address : items_in(*spec, "clusterIPs")) {
    allocations.addresses.take(address.as_string());
  }
  for (const std::int64_t port : ports_of(spec)) allocations.ports.take(port);
}

void release_all(Allocations& allocations, const Value& service) {
  const Value* spec = service.find("spec");
  if (spec == nullptr) return;
  for (const Value& address : items_in(*spec, "clusterIPs")) {
    allocations.addresses.release(address.as_string());
  }
  for (const std::int64_t port : ports_of(spec)) allocations.ports.release(port);
}

void read_stored_services(const HookContext& context) {
  Allocations& allocations = allocations_of(context);
  if (allocations.known) return;
  context.objects.each_object({"", "v1", "services"}, context.arena,
                              [&](const Value& service) { take_all(allocations, service); });
  // Those of other servers over the same storage, which have no Service yet.
  context.objects.each_object(
      {"networking.k8s.io", "v1", "ipaddresses"}, context.arena, [&](const Value& address) {
        const Value* labels = address.at({"metadata", "labels"});
        if (labels == nullptr || labels->string_at(kManagedBy) != kAllocatorName) return;
        allocations.addresses.take(address.at({"metadata"})->string_at("name"));
      });
  allocations.known = true;
}

// Returns a copy of the spec, which may be shared with the stored object, for hooks to change.
Value& copied_spec(const HookContext& context, Value& service) {
  Value& spec = object_or_new(service, "spec", context.arena);
  spec = spec.clone(context.arena);
  return spec;
}

}  // namespace

void set_service_defaults(const HookContext& context, Value& service) {
  Arena& arena = context.arena;
  Value& spec = object_or_new(service, "spec", arena);
  set_affinity_defaults(spec, arena);
  fill_text(spec, "type", "ClusterIP", arena);
  for (Value& port : items_in(spec, "ports")) set_port_defaults(port, arena);
  const ServiceProperties shape(&spec);
  if (shape.has_external_policy()) fill_text(spec, "externalTrafficPolicy", "Cluster", arena);
  if (shape.has_address()) fill(spec, "internalTrafficPolicy", Value::string("Cluster"), arena);
  if (!shape.balanced()) return;
  fill_bool(spec, "allocateLoadBalancerNodePorts", true, arena);
  const Value* balancer = service.at({"status", "loadBalancer"});
  if (balancer == nullptr) return;
  for (Value& ingress : items_in(*balancer, "ingress")) {
    if (!ingress.string_at("ip").empty()) fill(ingress, "ipMode", Value::string("VIP"), arena);
  }
}

void prepare_service_for_create(const HookContext& context, Value& service) {
  sync_cluster_ips(object_or_new(service, "spec", context.arena), nullptr, context.arena);
}

void prepare_service_for_update(const HookContext& context, Value& service, const Value& old) {
  const Value* old_spec = old.find("spec");
  if (old_spec == nullptr) return;
  Value& spec = copied_spec(context, service);
  sync_cluster_ips(spec, old_spec, context.arena);
  keep_allocated(spec, *old_spec, context.arena);
  drop_fields_of_old_type(spec, *old_spec);
}

Result<void> allocate_service(const HookContext& context, Value& service, const Value* old) {
  read_stored_services(context);
  Value& spec = copied_spec(context, service);
  const Value* old_spec = old == nullptr ? nullptr : old->find("spec");
  if (ServiceProperties(&spec).has_address()) {
    TAB_CHECK(choose_families(context, service, spec));
    const bool had = ServiceProperties(old_spec).has_address();
    TAB_CHECK(choose_address(context, service, spec,
                             had ? old_spec->string_at("clusterIP") : std::string_view()));
  }
  return choose_ports(context, service, spec, old_spec);
}

void service_stored(const HookContext& context, const Value* before, const Value* after) {
  if (!allocations_of(context).known) return;
  if (before != nullptr) release_all(allocations_of(context), *before);
  if (after != nullptr) take_all(allocations_of(context), *after);
}

}  // namespace tabernetes::registry::kinds
