// What is unique in a cluster and given out once: the addresses and ports of services.
//
// It only saves work: everything is read from the stored services when it is first asked for.
#pragma once

#include <memory>

#include "kinds/service_addresses.h"
#include "registry/kind/strategy.h"

namespace tabernetes::registry {

struct Allocations final : KindMemory {
  bool known = false;  // the stored services have been read
  kinds::ServiceAddresses addresses;
  kinds::ServicePorts ports;

  std::unique_ptr<KindMemory> clone() const override {
    return std::make_unique<Allocations>(*this);
  }
};

// All that built-in kinds remember.
inline Allocations& allocations_of(const HookContext& context) {
  if (context.memory == nullptr) context.memory = std::make_unique<Allocations>();
  return static_cast<Allocations&>(*context.memory);
}

}  // namespace tabernetes::registry
