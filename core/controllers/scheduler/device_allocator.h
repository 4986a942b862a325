// Chooses devices for claims on a node. Source: upstream 1.36 dynamic-resource-allocation
// structured/internal/incubating/allocator_incubating.go.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/scheduler/device_pools.h"
#include "controllers/scheduler/device_selector.h"

namespace tabernetes::controllers::scheduling {

// What an allocation depends on beside the claims and the node.
struct DeviceInventory {
  std::vector<json::Value> slices;
  std::map<std::string_view, json::Value, std::less<>> classes;  // DeviceClasses by name
  DeviceIds allocated;
  DeviceSelectors selectors;
};

struct DeviceAllocation {
  bool found = false;
  std::string error;                   // of the claims, a class or a slice: no node can do
  bool invalid = false;                // a pool of the node is invalid
  std::vector<json::Value> of_claims;  // status.allocation of each claim, in `arena`
};

// The first choice that satisfies all claims. REQUIRES: the values outlive the result.
DeviceAllocation allocate_devices(DeviceInventory& inventory,
                                  const std::vector<json::Value>& claims, const NodeFacts& node,
                                  json::Arena& arena);

}  // namespace tabernetes::controllers::scheduling
