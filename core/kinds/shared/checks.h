// Checks that kinds of several groups use, by name (`@labels`) or in C++.
#pragma once

#include "base/api/quantity.h"
#include "kinds/row/rules.h"
#include "rules/formats.h"

namespace tabernetes::registry::kinds {

// Checks a port number or a port name.
void check_port(const Place& place);
// Checks that a quantity is greater than zero.
void check_above_zero(const Place& place);

// Checks that a quantity is not negative.
void check_quantity(const Place& place);
// Checks that a path begins with a slash.
void check_absolute_path(const Place& place);

// Returns zero if there is no quantity.
Quantity quantity_of(const Field& field);

}  // namespace tabernetes::registry::kinds
