// The checks that rules call by name (`@labels`), and the rules that others share (`&selector`).
#pragma once

#include <string_view>

#include "registry/validation/rules.h"

namespace tabernetes::registry::validation {

using Check = void (*)(const Place& place);

// REQUIRES (both): the name exists.
Check find_check(std::string_view name);
std::string_view find_rules(std::string_view name);

}  // namespace tabernetes::registry::validation
