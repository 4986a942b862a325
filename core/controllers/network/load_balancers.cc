#include "controllers/network/load_balancers.h"

#include <set>
#include <string>

#include "base/net/ip_address.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kBalancedRanges[] = {"192.0.2.", "198.51.100.", "203.0.113."};
constexpr std::string_view kBalancedRangeV6 = "2001:db8:6c62::";
constexpr int kLastHost = 254;
constexpr int kLastHostV6 = 0xffff;

bool is_balanced(const Value& service) {
  return text_at(service, {"spec", "type"}) == "LoadBalancer" &&
         service.at({"spec", "loadBalancerClass"}) == nullptr;
}

bool is_from_ranges(std::string_view ip) {
  if (ip.starts_with(kBalancedRangeV6)) return true;
  for (const std::string_view range : kBalancedRanges) {
    if (ip.starts_with(range)) return true;
  }
  return false;
}

std::set<std::string> balancer_addresses(const ReconcileContext& cluster) {
  std::set<std::string> used;
  for (const Value& service : list(cluster, kServices)) {
    for (const Value& ingress : items_at(service, {"status", "loadBalancer", "ingress"})) {
      used.emplace(ingress.string_at("ip"));
    }
  }
  return used;
}

std::string hexadecimal(int number) {
  std::string digits;
  for (; number > 0; number >>= 4) digits.insert(digits.begin(), "0123456789abcdef"[number & 15]);
  return digits;
}

// Returns the first address of the family that is not in use, or an empty text.
std::string free_address(std::string_view family, const std::set<std::string>& used) {
  if (family == "IPv6") {
    for (int host = 1; host <= kLastHostV6; ++host) {
      std::string address = std::string(kBalancedRangeV6) + hexadecimal(host);
      if (!used.contains(address)) return address;
    }
    return {};
  }
  for (const std::string_view range : kBalancedRanges) {
    for (int host = 1; host <= kLastHost; ++host) {
      std::string address = std::string(range) + std::to_string(host);
      if (!used.contains(address)) return address;
    }
  }
  return {};
}

// Returns the address that the service asks for if it may have it, else a free one.
std::string address_for(const Value& service, std::string_view family,
                        const std::set<std::string>& used) {
  const auto wanted = parse_ip(text_at(service, {"spec", "loadBalancerIP"}));
  if (wanted && wanted->v4 == (family == "IPv4") && !used.contains(wanted->to_string())) {
    return wanted->to_string();
  }
  return free_address(family, used);
}

}  // namespace

void LoadBalancers::on_change(const registry::Registry&, const WatchEvent& change) {
  if (is(change.type, kServices) && change.now != nullptr) {
    queue_.add(queue_key(change.ns, change.name), change.due());
  }
}

void LoadBalancers::reconcile(const ReconcileContext& cluster, const std::string& key) {
  json::Arena& arena = cluster.arena;
  const auto [ns, name] = split_queue_key(key);
  const Value service = get(cluster, kServices, ns, name);
  if (service.is_null() || is_terminating(service)) return;
  const json::Range<Value> present = items_at(service, {"status", "loadBalancer", "ingress"});
  const bool balanced = is_balanced(service);
  const bool ours = !present.empty() && is_from_ranges(present[0].string_at("ip"));
  if (balanced ? !present.empty() : !ours) return;
  if (!balanced && text_at(service, {"spec", "type"}) == "LoadBalancer") return;

  Value ingress = Value::array(arena);
  if (balanced) {
    std::set<std::string> used = balancer_addresses(cluster);
    for (const Value& family : items_at(service, {"spec", "ipFamilies"})) {
      const std::string address = address_for(service, family.as_string(), used);
      if (address.empty()) continue;
      used.insert(address);
      ingress.push_back(arena, object_of({{"ip", text_value(address, arena)}}, arena));
    }
    if (ingress.size() == 0) return;
  }
  (void)update_status(cluster, {&type_of(cluster.registry, kServices), ns, name},
                      [&](Value& object) {
                        Value& status = object_or_new(object, "status", arena);
                        Value& balancer = object_or_new(status, "loadBalancer", arena);
                        balancer.erase("ingress");
                        if (ingress.size() > 0) balancer.set(arena, "ingress", ingress);
                      });
}

}  // namespace tabernetes::controllers
