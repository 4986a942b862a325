// Finds the rules that may match a request by the resource that they name, so that a request costs
// nothing for the many that name others.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "registry/life/registry.h"

namespace tabernetes::admission {

// The types that serve the same objects as another: in other versions, or in other groups.
class EquivalentTypes {
 public:
  // Returns those that are equivalent to `type`, without itself; valid until the next call.
  const std::vector<const registry::ResourceType*>& of(const registry::Registry& registry,
                                                       const registry::ResourceType& type);

 private:
  std::shared_ptr<const registry::ResourceTable> table_;  // of the answers below
  std::unordered_map<const registry::ResourceType*, std::vector<const registry::ResourceType*>>
      known_;
};

class ResourceIndex {
 public:
  // Adds an entry for lists of rules; without any, it is found for every resource. Entries are
  // numbered in the order in which they are added.
  void add(const json::Value* rules);
  using Numbers = std::vector<std::uint32_t>;
  // Returns the numbers of the entries that may match a request for one of the types, in order;
  // valid until add() or forget_types(). REQUIRES: `others` are the same for the same `own`, until
  // forget_types().
  const Numbers& find(const registry::ResourceType& own,
                      const std::vector<const registry::ResourceType*>& others) const;
  // Must be called when types may be others than before.
  void forget_types() { found_.clear(); }

 private:
  void add_numbers(std::string_view group, std::string_view plural, Numbers& into) const;

  std::uint32_t size_ = 0;
  Numbers everywhere_;
  std::unordered_map<std::string, Numbers> by_resource_;  // "apps/deployments", "*/pods", "apps/*"
  mutable std::unordered_map<const registry::ResourceType*, Numbers> found_;
};

}  // namespace tabernetes::admission
