// What is unique in a cluster and given out once: the addresses and ports of services.
//
// It only saves work: everything is read from the stored services when it is first asked for.
#pragma once

#include "registry/kinds/service_addresses.h"

namespace tabernetes::registry {

struct Allocations {
  bool known = false;  // the stored services have been read
  kinds::ServiceAddresses addresses;
  kinds::ServicePorts ports;
};

}  // namespace tabernetes::registry
