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
using ZoneShares = std::map<std::string, double, std::less<>>;
using ZoneCounts = std::map<std::string, int, std::less<>>;

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
  return cpu ? cpu->milli_value() : 0;
}

bool is_ready_endpoint(const Value& endpoint) { return bool_at(endpoint, {"conditions", "ready"}); }

int least_for(double wanted) { return static_cast<int>(std::ceil(wanted * (1 / (1 + kOverload)))); }

// How many endpoints a zone is to get.
struct Allocation {
  int minimum = 0, maximum = 0;
  double desired = 0;
};
using Allocations = std::map<std::string, Allocation, std::less<>>;

// Returns a fault instead, if a zone cannot get enough.
struct Allocated {
  Allocations zones;
  std::string fault;
};

Allocated allocate(const ZoneShares& shares, int endpoints) {
  Allocated allocated;
  const auto fault = [&](std::string text) {
    allocated.fault = std::move(text);
    return allocated;
  };
  const auto counted = [&](std::string text) {
    return fault(text + " (" + std::to_string(endpoints) + " endpoints, " +
                 std::to_string(shares.size()) + " zones)");
  };
  if (shares.empty()) {
    return fault(
        "Insufficient Node information: allocatable CPU or zone not specified on one or more "
        "nodes");
  }
  if (static_cast<int>(shares.size()) > endpoints) {
    return counted("Insufficient number of endpoints");
  }
  int left = endpoints;
  for (const auto& [zone, share] : shares) {
    const double desired = share * endpoints;
    const int minimum = least_for(desired);
    allocated.zones[zone] = {minimum, 0, std::max(desired, static_cast<double>(minimum))};
    left -= minimum;
    if (left < 0) {
      return counted(
          "Unable to allocate minimum required endpoints to each zone without exceeding overload "
          "threshold");
    }
  }
  for (auto& [zone, allocation] : allocated.zones) allocation.maximum = allocation.minimum + left;
  return allocated;
}

// Returns how many endpoints of a slice are for each zone; nothing if the slice must change.
std::optional<ZoneCounts> valid_hints(const HintedSlice& slice, const ZoneCounts& given,
                                      const Allocations& zones) {
  ZoneCounts hints;
  for (const Value& endpoint : *slice.endpoints) {
    if (!is_ready_endpoint(endpoint)) continue;
    const json::Range<Value> for_zones = items_at(endpoint, {"hints", "forZones"});
    if (for_zones.empty()) return std::nullopt;
    for (const Value& zone : for_zones) {
      const std::string_view name = zone.string_at("name");
      if (!zones.contains(name)) return std::nullopt;
      ++hints[std::string(name)];
    }
  }
  for (const auto& [zone, count] : hints) {
    const auto before = given.find(zone);
    const int others = before == given.end() ? 0 : before->second;
    if (count + others > zones.find(zone)->second.maximum) return std::nullopt;
  }
  return hints;
}

// Moves one after the other from the zone with most to give to the one that needs most.
std::pair<ZoneCounts, ZoneCounts> exchanges(const Allocations& zones, const ZoneCounts& given) {
  ZoneShares spare, needed;
  for (const auto& [zone, allocation] : zones) {
    const auto has = given.find(zone);
    const double count = has == given.end() ? 0 : has->second;
    if (count > allocation.desired) spare[zone] = count - allocation.desired;
    if (count < allocation.desired) needed[zone] = allocation.desired - count;
  }
  const auto most = [](ZoneShares& of) {
    return std::max_element(of.begin(), of.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; });
  };
  std::pair<ZoneCounts, ZoneCounts> moves;
  while (!spare.empty() && !needed.empty()) {
    const auto from = most(spare), to = most(needed);
    if ((from->second < 1 && to->second < 1) || from->second < 0.5 || to->second < 0.5) break;
    ++moves.first[from->first];
    ++moves.second[to->first];
    --from->second;
    --to->second;
  }
  return moves;
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

// Lets the endpoints of one zone serve another one.
void exchange(std::vector<HintedSlice>& slices, std::pair<ZoneCounts, ZoneCounts> moves,
              ZoneCounts& given, json::Arena& arena) {
  auto& [giving, receiving] = moves;
  for (HintedSlice& slice : slices) {
    if (!slice.changes) continue;
    for (Value& endpoint : *slice.endpoints) {
      const auto from = giving.find(endpoint.string_at("zone"));
      if (!is_ready_endpoint(endpoint) || from == giving.end() || receiving.empty()) continue;
      const auto to = receiving.begin();
      set_zone(endpoint, to->first, arena);
      ++given[to->first];
      --given[from->first];
      if (--to->second == 0) receiving.erase(to);
      if (--from->second == 0) giving.erase(from);
    }
  }
}

bool is_overloaded(const ZoneCounts& given, const ZoneShares& shares) {
  if (given.empty()) return false;
  if (shares.empty()) return true;
  int all = 0;
  for (const auto& [zone, count] : given) all += count;
  return std::any_of(shares.begin(), shares.end(), [&](const auto& share) {
    const auto has = given.find(share.first);
    return has == given.end() || has->second < least_for(all * share.second);
  });
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
  if (shares_) return;
  shares_.emplace();
  std::map<std::string, std::int64_t, std::less<>> cpus;
  std::int64_t all = 0;
  for (const Value& node : list(cluster, kNodes)) {
    if (is_excluded(node) || !is_ready_node(node)) continue;
    const std::int64_t cpu = allocatable_milli_cpus(node);
    if (zone_label(node).empty() || cpu == 0) return;
    cpus[std::string(zone_label(node))] += cpu;
    all += cpu;
  }
  if (cpus.size() < 2) return;
  for (const auto& [zone, cpu] : cpus) {
    (*shares_)[zone] = static_cast<double>(cpu) / static_cast<double>(all);
  }
}

std::vector<std::string> TopologyHints::overloaded(const ReconcileContext& cluster) {
  std::vector<std::string> services;
  if (given_.empty()) return services;
  read_nodes(cluster);
  for (const auto& [service, by_type] : given_) {
    const bool any = std::any_of(by_type.begin(), by_type.end(), [&](const auto& given) {
      return is_overloaded(given.second, *shares_);
    });
    if (any) services.push_back(service);
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
  int endpoints = 0;
  for (const HintedSlice& slice : slices) {
    endpoints += static_cast<int>(
        std::count_if(slice.endpoints->begin(), slice.endpoints->end(), &is_ready_endpoint));
  }
  const Allocated allocated = allocate(*shares_, endpoints);
  if (!allocated.fault.empty()) return give_up(allocated.fault);

  ZoneCounts given;
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
  exchange(slices, exchanges(allocated.zones, given), given, arena);
  if (given.empty()) return give_up("No hints allocated for zones");
  given_[service].insert_or_assign(std::string(address_type), std::move(given));
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
  const auto known = given_.find(service);
  if (known == given_.end()) return;
  if (const auto of_type = known->second.find(address_type); of_type != known->second.end()) {
    known->second.erase(of_type);
  }
  if (known->second.empty()) given_.erase(known);
}

}  // namespace tabernetes::controllers
