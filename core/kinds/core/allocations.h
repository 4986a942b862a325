// Allocated addresses and ports of services, unique in a cluster.
//
// Only a cache: it is filled from the stored services on first use.
#pragma once

#include <memory>

#include "kinds/core/service_addresses.h"
#include "registry/kind/strategy.h"

namespace tabernetes::registry {

struct Allocations final : KindCache {
  bool known = false;  // the stored services have been read
  kinds::ServiceAddresses addresses;
  kinds::ServicePorts ports;

  std::unique_ptr<KindCache> clone() const override { return std::make_unique<Allocations>(*this); }
};

// Returns the cache shared by all built-in kinds.
inline Allocations& allocations_of(const HookContext& context) {
  if (context.cache == nullptr) context.cache = std::make_unique<Allocations>();
  return static_cast<Allocations&>(*context.cache);
}

}  // namespace tabernetes::registry
