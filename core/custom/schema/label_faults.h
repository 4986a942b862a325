// What is wrong with the names in definitions, all faults in one text.
#pragma once

#include <string>
#include <string_view>

#include "rules/field.h"

namespace tabernetes::registry::custom {

// Of a label that begins with a letter; empty: nothing.
std::string label_faults(std::string_view text);
// Of a kind: such a label, but for capitals.
std::string kind_faults(std::string_view text);

// Reports the faults of a label, or of one that may be empty, as one error.
void check_label(const validation::Field& at);
void check_label_or_empty(const validation::Field& at);

}  // namespace tabernetes::registry::custom
