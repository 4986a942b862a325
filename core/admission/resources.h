// Lists of resource amounts, and the total resources of a pod. Source: upstream 1.36
// component-helpers/resource (PodRequests, PodLimits).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/api/quantity.h"
#include "json/value.h"

namespace tabernetes::admission {

// Amounts by name, sorted.
class ResourceList {
 public:
  using Entry = std::pair<std::string, Quantity>;

  ResourceList() = default;
  // Reads an object of quantities; null gives an empty list.
  explicit ResourceList(const json::Value* amounts);

  // Returns null if there is no such amount.
  const Quantity* find(std::string_view name) const;
  void set(std::string_view name, const Quantity& amount);
  // Sets all amounts of the other list.
  void take(const ResourceList& other);
  void add(const ResourceList& other);
  // Takes the greater of each amount.
  void raise(const ResourceList& other);
  const std::vector<Entry>& entries() const& { return entries_; }
  const std::vector<Entry>& entries() const&& = delete;
  bool empty() const { return entries_.empty(); }

 private:
  std::vector<Entry> entries_;
};

// Returns the quantity of a member, or zero if it is not one.
Quantity quantity_of(const json::Value& value);

// Returns the total of resources.`list` ("requests", "limits") of a pod's containers.
ResourceList pod_resources(const json::Value& pod, std::string_view list);

}  // namespace tabernetes::admission
