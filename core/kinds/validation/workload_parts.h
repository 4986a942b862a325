// Checks that workloads share.
#pragma once

#include <string_view>

#include "rules/field.h"

namespace tabernetes::registry::validation {

// Checks that the selector selects the template's labels. REQUIRES: the selector is valid.
void validate_template_labels(const Field& selector, const Field& tmpl);
void not_selected(const Field& labels);

// Check a number or percentage ("25%").
void validate_int_or_percent(const Field& share);
void validate_at_most_100_percent(const Field& share);
// Returns the number, also that of a percentage; 0 if invalid.
std::int64_t int_or_percent_value(const Field& share);

}  // namespace tabernetes::registry::validation
