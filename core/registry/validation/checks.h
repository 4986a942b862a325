// The checks that rules call by name (`@labels`), the conditions that they ask (`?@template`), and
// the rules that others share (`&selector`).
#pragma once

#include <string_view>

#include "registry/validation/rules.h"

namespace tabernetes::registry::validation {

using Check = void (*)(const Place& place);
using Predicate = bool (*)(const Place& place);

// REQUIRES (all): the name exists.
Check find_check(std::string_view name);
Predicate find_predicate(std::string_view name);
std::string_view find_rules(std::string_view name);

// Reports what rules of a name find wrong with a place of their own.
void check_named(std::string_view rules, const Field& place);

}  // namespace tabernetes::registry::validation
