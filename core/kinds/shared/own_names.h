// Names of objects with a format of their own.
#pragma once

#include <string>

#include "kinds/row/rules.h"

namespace tabernetes::registry::kinds {

// Checks the name of an object. `wanted` is the required name; empty for an IP address.
void add_name_faults(const Place& place, const std::string& wanted);

}  // namespace tabernetes::registry::kinds
