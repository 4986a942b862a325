// The allocation of a claim as its status has it. Source: upstream 1.36
// dynamic-resource-allocation structured/internal/incubating/allocator_incubating.go (Allocate,
// createNodeSelector).
#pragma once

#include <string_view>
#include <vector>

#include "controllers/scheduler/device_pools.h"
#include "json/value.h"

namespace tabernetes::controllers::scheduling {

struct ChosenDevice {
  std::string_view request;
  std::string_view alternative;         // of "firstAvailable"; empty otherwise
  const json::Value* wanted = nullptr;  // what was asked for
  const json::Value* device_class = nullptr;
  DeviceId id;
  const json::Value* device = nullptr;
  const json::Value* slice = nullptr;
  bool admin = false;
};

// Returns status.allocation of a claim to which these devices go, on that node.
json::Value allocation_of(const json::Value& claim, const std::vector<ChosenDevice>& devices,
                          std::string_view node, json::Arena& arena);

}  // namespace tabernetes::controllers::scheduling
