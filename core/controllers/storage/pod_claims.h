// The claims of a pod's volumes.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"

namespace tabernetes::controllers {

// Returns the names of the claims that the pod's volumes use: those that they name, and those that
// are made for them.
std::vector<std::string> claims_of(const json::Value& pod);

}  // namespace tabernetes::controllers
