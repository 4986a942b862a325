// Numbers or percentages.
#pragma once

#include <string_view>

#include "kinds/row/rules.h"

namespace tabernetes::registry::kinds {

// Check a number or percentage ("25%").
void validate_int_or_percent(const Field& share);
void validate_at_most_100_percent(const Field& share);
// Returns the number, also that of a percentage; 0 if invalid.
std::int64_t int_or_percent_value(const Field& share);

}  // namespace tabernetes::registry::kinds
