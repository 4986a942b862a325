// The nodes that a cluster has from the start.
#pragma once

#include <string>

#include "tabernetes/time.h"

namespace tabernetes::controllers::kubelet {

// Returns the manifest of node `number`, counted from 1, as its kubelet has registered it: ready.
std::string registered_node(int number, Time now);

}  // namespace tabernetes::controllers::kubelet
