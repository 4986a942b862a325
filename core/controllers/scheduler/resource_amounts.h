// Amounts of resources: what pods request, and what nodes have. Source: upstream 1.36
// component-helpers resource/helpers.go, pkg/scheduler/framework/types.go (Resource).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/value.h"

namespace tabernetes::controllers::scheduling {

struct ResourceAmounts {
  std::int64_t milli_cpu = 0, memory = 0, ephemeral_storage = 0;
  // Extended resources, huge pages and attachable volumes, by name.
  std::vector<std::pair<std::string, std::int64_t>> scalars;

  // Returns the amount of a scalar resource; 0 if there is none.
  std::int64_t scalar(std::string_view name) const;
  // Adds `times` times the other amounts.
  void add(const ResourceAmounts& other, std::int64_t times = 1);
  // Raises each amount to the other's.
  void raise_to(const ResourceAmounts& other);
  bool is_zero() const {
    return milli_cpu == 0 && memory == 0 && ephemeral_storage == 0 && scalars.empty();
  }
  friend bool operator==(const ResourceAmounts&, const ResourceAmounts&) = default;
};

// More than any node has, and so little that sums of it do not overflow.
inline constexpr std::int64_t kMostAmount = std::int64_t{1} << 48;

// Returns the quantity `text` in units of 1 or, with `milli`, of 1/1000, rounded up and at most
// kMostAmount; 0 if invalid.
std::int64_t read_quantity(std::string_view text, bool milli = false);

// Adds the resources in a list, such as a container's requests, to `amounts`.
void add_resource_list(ResourceAmounts& amounts, const json::Value* list);

struct PodRequests {
  ResourceAmounts amounts;
  // CPU and memory if each container that does not request them requested 100m and 200 MiB.
  std::int64_t nonzero_milli_cpu = 0, nonzero_memory = 0;
};
// Returns what the pod with this spec requests: its containers together, its init containers and
// sidecars as they overlap, the requests of the pod itself, and its overhead.
PodRequests read_pod_requests(const json::Value& spec);

}  // namespace tabernetes::controllers::scheduling
