// Amounts by name, and what a pod asks for in all.
// Source: upstream 1.36 component-helpers/resource (PodRequests, PodLimits).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quantity.h"
#include "json/value.h"

namespace tabernetes::admission {

// Sorted by name.
class ResourceList {
 public:
  using Entry = std::pair<std::string, Quantity>;

  ResourceList() = default;
  // Of an object of quantities; null: empty.
  explicit ResourceList(const json::Value* amounts);

  // Null if there is none.
  const Quantity* find(std::string_view name) const;
  void set(std::string_view name, const Quantity& amount);
  // Sets all of the other's.
  void take(const ResourceList& other);
  void add(const ResourceList& other);
  // Of each amount the greater one.
  void raise(const ResourceList& other);
  const std::vector<Entry>& entries() const& { return entries_; }
  const std::vector<Entry>& entries() const&& = delete;
  bool empty() const { return entries_.empty(); }

 private:
  std::vector<Entry> entries_;
};

// The quantity of a member; zero if it is none.
Quantity quantity_of(const json::Value& value);

// What all containers of a pod have under resources.`list` ("requests", "limits").
ResourceList pod_resources(const json::Value& pod, std::string_view list);

}  // namespace tabernetes::admission
