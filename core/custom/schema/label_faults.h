// Checks of names in definitions, which report all faults as one text.
#pragma once

#include <string>
#include <string_view>

#include "rules/field.h"

namespace tabernetes::registry::custom {

// Returns the faults of a label that starts with a letter; empty if it is valid.
std::string label_errors(std::string_view text);
// Does the same for a kind, which may contain capital letters.
std::string kind_errors(std::string_view text);

// Report the faults of a label as one error; the second one accepts an empty text.
void check_label(const validation::Field& at);
void check_label_or_empty(const validation::Field& at);

}  // namespace tabernetes::registry::custom
