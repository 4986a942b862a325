#include "controllers/network/topology_hints.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/api/quantity.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers {
namespace {

using json::Value;
using AmountByZone = std::map<std::string, std::int64_t, std::less<>>;

constexpr std::string_view kMode = "service.kubernetes.io/topology-mode";
constexpr std::string_view kOldMode = "service.kubernetes.io/topology-aware-hints";
constexpr std::string_view kZone = "topology.kubernetes.io/zone";
// How much more than its share an endpoint may get.
constexpr double kOverload = 0.2;

std::string_view zone_label(const Value& node) {
  return text_at(node, {"metadata", "labels", kZone});
}

bool is_ready_node(const Value& node) { return registry::condition_is_true(node, "Ready"); }

bool is_excluded(const Value& node) {
  const Value* labels = node.at({"metadata", "labels"});
  return labels != nullptr && (labels->find("node-role.kubernetes.io/control-plane") != nullptr ||
                               labels->find("node-role.kubernetes.io/master") != nullptr);
}

std::int64_t allocatable_milli_cpus(const Value& node) {
  std::string_view error;
  const auto cpu = Quantity::parse(text_at(node, {"status", "allocatable", "cpu"}), error);
  constexpr std::int64_t kMost = 1'000'000'000'000;  // the sum of a million nodes has 64 bits
  return cpu ? std::clamp<std::int64_t>(cpu->milli_value(), 0, kMost) : 0;
}

bool is_ready_endpoint(const Value& endpoint) { return bool_at(endpoint, {"conditions", "ready"}); }

std::int64_t least_for(double wanted) {
  return static_cast<std::int64_t>(std::ceil(wanted * (1 / (1 + kOverload))));
}

std::int64_t total_of(const AmountByZone& counts) {
  std::int64_t all = 0;
  for (const auto& [zone, count] : counts) all += count;
  return all;
}

std::int64_t amount_in(const AmountByZone& counts, std::string_view zone) {
  const auto found = counts.find(zone);
  return found == counts.end() ? 0 : found->second;
}

// How many endpoints a zone is to get.
struct Allocation {
  std::string_view zone;
  std::int64_t minimum = 0, maximum = 0;
  double desired = 0;
  double surplus = 0;  // of those that it has, over the desired ones
};
using Allocations = std::vector<Allocation>;

// Returns a fault instead, if a zone cannot get enough.
struct Allocated {
  Allocations zones;
  std::string fault;
};

Allocated allocate(const AmountByZone& cpus, std::int64_t endpoints) {
  Allocated allocated;
  const auto fault = [&](std::string_view text) {
    allocated.fault = std::string(text) + " (" + std::to_string(endpoints) + " endpoints, " +
                      std::to_string(cpus.size()) + " zones)";
    return allocated;
  };
  if (cpus.empty()) {
    allocated.fault =
        "Insufficient Node information: allocatable CPU or zone not specified on one or more "
        "nodes";
    return allocated;
  }
  if (static_cast<std::int64_t>(cpus.size()) > endpoints) {
    return fault("Insufficient number of endpoints");
  }
  const auto all = static_cast<double>(total_of(cpus));
  std::int64_t left = endpoints;
  for (const auto& [zone, cpu] : cpus) {
    const double desired = static_cast<double>(cpu) / all * static_cast<double>(endpoints);
    const std::int64_t minimum = least_for(desired);
    allocated.zones.push_back(
        {zone, minimum, 0, std::max(desired, static_cast<double>(minimum)), 0});
    left -= minimum;
    if (left < 0) {
      return fault(
          "Unable to allocate minimum required endpoints to each zone without exceeding overload "
          "threshold");
    }
  }
  for (Allocation& allocation : allocated.zones) allocation.maximum = allocation.minimum + left;
  return allocated;
}

// Returns how many endpoints of a slice are for each zone; nothing if the slice must change.
std::optional<AmountByZone> valid_hints(const HintedSlice& slice, const AmountByZone& given,
                                        const Allocations& zones) {
  AmountByZone hints;
  for (const Value& endpoint : *slice.endpoints) {
    if (!is_ready_endpoint(endpoint)) continue;
    const json::Range<Value> for_zones = items_at(endpoint, {"hints", "forZones"});
    if (for_zones.empty()) return std::nullopt;
    for (const Value& zone : for_zones) ++hints[std::string(zone.string_at("name"))];
  }
  std::size_t known = 0;
  for (const Allocation& allocation : zones) {
    const std::int64_t count = amount_in(hints, allocation.zone);
    if (count > 0 && count + amount_in(given, allocation.zone) > allocation.maximum) {
      return std::nullopt;
    }
    known += count > 0 ? 1 : 0;
  }
  if (known < hints.size()) return std::nullopt;
  return hints;
}

// Who gives, and who receives how many.
struct Exchange {
  AmountByZone giving, receiving;
};

// Moves one after the other from the zone with most to give to the one that needs most.
Exchange exchange_of(Allocations zones, const AmountByZone& given) {
  for (Allocation& allocation : zones) {
    allocation.surplus =
        static_cast<double>(amount_in(given, allocation.zone)) - allocation.desired;
  }
  Exchange exchange;
  for (;;) {
    const auto less = [](const Allocation& a, const Allocation& b) {
      return a.surplus < b.surplus;
    };
    const auto from = std::max_element(zones.begin(), zones.end(), less);
    const auto receiver = std::min_element(zones.begin(), zones.end(), less);
    const double spare = from->surplus, needed = -receiver->surplus;
    if ((spare < 1 && needed < 1) || spare < 0.5 || needed < 0.5) return exchange;
    ++exchange.giving[std::string(from->zone)];
    ++exchange.receiving[std::string(receiver->zone)];
    --from->surplus;
    ++receiver->surplus;
  }
}

void set_zone(Value& endpoint, std::string_view zone, json::Arena& arena) {
  Value names = Value::array(arena);
  names.push_back(arena, object_of({{"name", text_value(zone, arena)}}, arena));
  endpoint = endpoint.shallow_copy(arena);
  endpoint.set(arena, "hints", object_of({{"forZones", names}}, arena));
}

void remove_hints(HintedSlice& slice, json::Arena& arena) {
  for (Value& endpoint : *slice.endpoints) {
    if (endpoint.find("hints") == nullptr) continue;
    endpoint = endpoint.shallow_copy(arena);
    endpoint.erase("hints");
    slice.changes = true;
  }
}

// Lets endpoints of one zone serve another one.
void carry_out(Exchange exchange, std::vector<HintedSlice>& slices, AmountByZone& given,
               json::Arena& arena) {
  for (HintedSlice& slice : slices) {
    if (!slice.changes) continue;
    for (Value& endpoint : *slice.endpoints) {
      const auto from = exchange.giving.find(endpoint.string_at("zone"));
      if (!is_ready_endpoint(endpoint) || from == exchange.giving.end() || from->second == 0) {
        continue;
      }
      const auto to = std::find_if(exchange.receiving.begin(), exchange.receiving.end(),
                                   [](const auto& zone) { return zone.second > 0; });
      if (to == exchange.receiving.end()) return;
      set_zone(endpoint, to->first, arena);
      ++given[to->first];
      --given[from->first];
      --to->second;
      --from->second;
    }
  }
}

bool is_overloaded(const AmountByZone& given, const AmountByZone& cpus) {
  if (given.empty()) return false;
  if (cpus.empty()) return true;
  const auto endpoints = static_cast<double>(total_of(given)),
             all = static_cast<double>(total_of(cpus));
  return std::any_of(cpus.begin(), cpus.end(), [&](const auto& zone) {
    return !given.contains(zone.first) ||
           amount_in(given, zone.first) <
               least_for(endpoints * (static_cast<double>(zone.second) / all));
  });
}

std::string key_of(const std::string& service, std::string_view address_type) {
  return (service + " ").append(address_type);
}

TopologyHints::Report disabled(std::string_view why, std::string_view address_type) {
  return {"Warning", "TopologyAwareHintsDisabled",
          std::string(why) + ", addressType: " + std::string(address_type)};
}

}  // namespace

bool TopologyHints::are_wanted_by(const Value& service) {
  const Value* annotations = service.at({"metadata", "annotations"});
  if (annotations == nullptr) return false;
  const bool is_old = annotations->find(kOldMode) != nullptr;
  const std::string_view mode = annotations->string_at(is_old ? kOldMode : kMode);
  return mode == "Auto" || mode == "auto";
}

bool TopologyHints::is_concerned(const WatchEvent& change) {
  if (change.before == nullptr || change.now == nullptr) return true;
  const Value &before = change.object_before.get(), &now = change.object_now.get();
  return is_ready_node(before) != is_ready_node(now) || zone_label(before) != zone_label(now);
}

void TopologyHints::read_nodes(const ReconcileContext& cluster) {
  if (cpus_) return;
  cpus_.emplace();
  AmountByZone cpus;
  for (const Value& node : list(cluster, kNodes)) {
    if (is_excluded(node) || !is_ready_node(node)) continue;
    const std::int64_t cpu = allocatable_milli_cpus(node);
    if (zone_label(node).empty() || cpu == 0) return;
    cpus[std::string(zone_label(node))] += cpu;
  }
  if (cpus.size() >= 2) cpus_ = std::move(cpus);
}

std::vector<std::string> TopologyHints::overloaded(const ReconcileContext& cluster) {
  std::vector<std::string> services;
  if (given_.empty()) return services;
  read_nodes(cluster);
  for (const auto& [key, given] : given_) {
    if (is_overloaded(given, *cpus_)) services.push_back(key.substr(0, key.find(' ')));
  }
  return services;
}

std::optional<TopologyHints::Report> TopologyHints::assign(const ReconcileContext& cluster,
                                                           const std::string& service,
                                                           std::string_view address_type,
                                                           std::vector<HintedSlice>& slices) {
  json::Arena& arena = cluster.arena;
  const auto give_up = [&](std::string_view why) {
    drop(service, address_type);
    for (HintedSlice& slice : slices) remove_hints(slice, arena);
    return disabled(why, address_type);
  };
  read_nodes(cluster);
  std::int64_t endpoints = 0;
  for (const HintedSlice& slice : slices) {
    endpoints +=
        std::count_if(slice.endpoints->begin(), slice.endpoints->end(), &is_ready_endpoint);
  }
  const Allocated allocated = allocate(*cpus_, endpoints);
  if (!allocated.fault.empty()) return give_up(allocated.fault);

  AmountByZone given;
  for (HintedSlice& slice : slices) {
    if (slice.changes) continue;
    const auto hints = valid_hints(slice, given, allocated.zones);
    slice.changes = !hints;
    if (!hints) continue;
    for (const auto& [zone, count] : *hints) given[zone] += count;
  }
  for (HintedSlice& slice : slices) {
    if (!slice.changes) continue;
    for (Value& endpoint : *slice.endpoints) {
      if (!is_ready_endpoint(endpoint)) continue;
      const std::string_view zone = endpoint.string_at("zone");
      if (zone.empty()) return give_up("One or more endpoints do not have a zone specified");
      set_zone(endpoint, zone, arena);
      ++given[std::string(zone)];
    }
  }
  carry_out(exchange_of(allocated.zones, given), slices, given, arena);
  if (given.empty()) return give_up("No hints allocated for zones");
  given_[key_of(service, address_type)] = std::move(given);
  if (!hinted_.insert(service).second) return std::nullopt;
  return Report{"Normal", "TopologyAwareHintsEnabled",
                "Topology Aware Hints has been enabled, addressType: " + std::string(address_type)};
}

std::optional<TopologyHints::Report> TopologyHints::withdraw(const std::string& service,
                                                             std::string_view address_type) {
  const bool had = hinted_.contains(service);
  drop(service, address_type);
  if (!had) return std::nullopt;
  return disabled("Topology Aware Hints has been disabled", address_type);
}

void TopologyHints::drop(const std::string& service, std::string_view address_type) {
  hinted_.erase(service);
  given_.erase(key_of(service, address_type));
}

}  // namespace tabernetes::controllers
