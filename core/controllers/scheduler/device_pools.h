// The devices that a node can use, by pool. Source: upstream 1.36 dynamic-resource-allocation
// structured/internal/incubating/pools_incubating.go.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "controllers/scheduler/node_info.h"
#include "json/value.h"

namespace tabernetes::controllers::scheduling {

// Names a device: driver, pool, device.
struct DeviceId {
  std::string_view driver, pool, device;
  friend bool operator<(const DeviceId& a, const DeviceId& b) {
    return std::tie(a.driver, a.pool, a.device) < std::tie(b.driver, b.pool, b.device);
  }
  friend bool operator==(const DeviceId&, const DeviceId&) = default;
};
using DeviceIds = std::set<DeviceId>;

struct DevicePool {
  std::string_view driver, name;
  bool incomplete = false;                     // some of its slices are missing
  bool invalid = false;                        // its slices contradict themselves
  std::vector<const json::Value*> slices;      // with the devices for the node, by name
  std::vector<const json::Value*> all_slices;  // of its generation
  std::vector<const json::Value*> counters;    // its sets of counters

  std::string id() const { return std::string(driver) + "/" + std::string(name); }
};

// Returns the pools with devices for a node, by driver and name. `slices` are all ResourceSlices.
std::vector<DevicePool> pools_for(const NodeFacts& node, const std::vector<json::Value>& slices);

// Returns whether a device or slice is for the node, by its nodeName, allNodes and nodeSelector.
bool is_for_node(const json::Value& selection, const NodeFacts& node);

// Returns true if the counters of the pool suffice for these devices of it together.
bool counters_suffice(const DevicePool& pool, const DeviceIds& devices);

}  // namespace tabernetes::controllers::scheduling
