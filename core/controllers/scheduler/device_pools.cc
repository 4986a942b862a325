#include "controllers/scheduler/device_pools.h"

#include <algorithm>
#include <utility>

#include "base/algorithm/sort.h"
#include "base/api/quantity.h"
#include "json/access.h"

namespace tabernetes::controllers::scheduling {
namespace {

using json::Value;
using PoolId = std::pair<std::string_view, std::string_view>;

PoolId pool_of(const Value& slice) {
  return {json::text_at(slice, {"spec", "driver"}), json::text_at(slice, {"spec", "pool", "name"})};
}

std::int64_t generation_of(const Value& slice) {
  return json::number_at(slice, {"spec", "pool", "generation"});
}

bool has_counters(const Value& slice) {
  return !json::items_at(slice, {"spec", "sharedCounters"}).empty();
}

bool is_relevant(const Value& slice, const NodeFacts& node) {
  if (has_counters(slice)) return true;
  const Value* spec = slice.find("spec");
  if (spec == nullptr) return false;
  if (!json::bool_at(*spec, {"perDeviceNodeSelection"})) return is_for_node(*spec, node);
  const auto devices = json::items_at(*spec, {"devices"});
  return std::any_of(devices.begin(), devices.end(),
                     [&](const Value& device) { return is_for_node(device, node); });
}

Quantity quantity_of(const Value& holder) {
  std::string_view error;
  return Quantity::parse(holder.string_at("value"), error).value_or(Quantity());
}

// Counters by set and name.
using Counters = std::map<std::pair<std::string_view, std::string_view>, Quantity>;

Counters counters_of(const DevicePool& pool) {
  Counters counters;
  for (const Value* set : pool.counters) {
    for (const json::Member& counter : json::members_at(*set, {"counters"})) {
      counters[{set->string_at("name"), counter.key}] = quantity_of(counter.value);
    }
  }
  return counters;
}

template <typename Visit>
void each_consumption(const Value& device, const Visit& visit) {
  for (const Value& set : json::items_at(device, {"consumesCounters"})) {
    for (const json::Member& counter : json::members_at(set, {"counters"})) {
      visit(std::pair(set.string_at("counterSet"), counter.key), counter.value);
    }
  }
}

bool is_valid(const DevicePool& pool) {
  std::set<std::string_view> names, sets;
  for (const Value* set : pool.counters) {
    if (!sets.insert(set->string_at("name")).second) return false;
  }
  for (const Value* slice : pool.slices) {
    for (const Value& device : json::items_at(*slice, {"spec", "devices"})) {
      if (!names.insert(device.string_at("name")).second) return false;
    }
  }
  const Counters counters = counters_of(pool);
  bool known = true;
  for (const Value* slice : pool.all_slices) {
    for (const Value& device : json::items_at(*slice, {"spec", "devices"})) {
      each_consumption(device,
                       [&](const auto& key, const Value&) { known &= counters.contains(key); });
    }
  }
  return known;
}

void sort_by_name(std::vector<const Value*>& slices) {
  sort_stable(slices, [](const Value* a, const Value* b) {
    return json::text_at(*a, {"metadata", "name"}) < json::text_at(*b, {"metadata", "name"});
  });
}

bool binds_later(const DevicePool& pool) {
  return std::any_of(pool.slices.begin(), pool.slices.end(), [](const Value* slice) {
    const auto devices = json::items_at(*slice, {"spec", "devices"});
    return std::any_of(devices.begin(), devices.end(), [](const Value& device) {
      return device.find("bindingConditions") != nullptr;
    });
  });
}

// Makes the pool of the slices that are relevant for the node; its generation is theirs.
DevicePool make_pool(const PoolId& id, const std::vector<const Value*>& relevant,
                     const std::vector<const Value*>& all) {
  DevicePool pool{.driver = id.first, .name = id.second};
  const auto wanted = json::number_at(*relevant[0], {"spec", "pool", "resourceSliceCount"});
  pool.all_slices = all;
  pool.incomplete = static_cast<std::int64_t>(all.size()) != wanted;
  if (pool.incomplete) return pool;
  for (const Value* slice : relevant) {
    if (!has_counters(*slice)) pool.slices.push_back(slice);
    for (const Value& set : json::items_at(*slice, {"spec", "sharedCounters"})) {
      pool.counters.push_back(&set);
    }
  }
  sort_by_name(pool.slices);
  pool.invalid = !is_valid(pool);
  return pool;
}

}  // namespace

bool is_for_node(const Value& selection, const NodeFacts& node) {
  const std::string_view name = selection.string_at("nodeName");
  if (!name.empty()) return name == node.name;
  if (json::bool_at(selection, {"allNodes"})) return true;
  const Value* selector = selection.find("nodeSelector");
  return selector != nullptr && NodeSelector(*selector).matches(node.name, node.labels);
}

std::vector<DevicePool> pools_for(const NodeFacts& node, const std::vector<Value>& slices) {
  std::map<PoolId, std::vector<const Value*>> relevant, all;
  for (const Value& slice : slices) {
    std::vector<const Value*>& every = all[pool_of(slice)];
    if (!every.empty() && generation_of(*every[0]) < generation_of(slice)) every.clear();
    if (every.empty() || generation_of(*every[0]) == generation_of(slice)) every.push_back(&slice);
  }
  for (const auto& [id, every] : all) {
    for (const Value* slice : every) {
      if (is_relevant(*slice, node)) relevant[id].push_back(slice);
    }
  }
  std::vector<DevicePool> pools, later;
  for (const auto& [id, some] : relevant) {
    DevicePool pool = make_pool(id, some, all[id]);
    (binds_later(pool) ? later : pools).push_back(std::move(pool));
  }
  std::move(later.begin(), later.end(), std::back_inserter(pools));
  return pools;
}

bool counters_suffice(const DevicePool& pool, const DeviceIds& devices) {
  Counters used;
  for (const Value* slice : pool.all_slices) {
    for (const Value& device : json::items_at(*slice, {"spec", "devices"})) {
      if (!devices.contains({pool.driver, pool.name, device.string_at("name")})) continue;
      each_consumption(device, [&](const auto& key, const Value& amount) {
        used[key].add(quantity_of(amount));
      });
    }
  }
  const Counters there = counters_of(pool);
  return std::all_of(used.begin(), used.end(), [&](const auto& each) {
    const auto found = there.find(each.first);
    return found == there.end() || each.second.compare(found->second) <= 0;
  });
}

}  // namespace tabernetes::controllers::scheduling
