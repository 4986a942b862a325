// Rules that the kinds of workloads share.
#pragma once

#include <string_view>

#include "rules/field.h"

namespace tabernetes::registry::validation {

// The selector must select the pods of the template. REQUIRES: it is sound.
void validate_template_labels(const Field& selector, const Field& tmpl);
void not_selected(const Field& labels);

// A number or percentage ("25%").
void validate_share(const Field& share);
void validate_at_most_all(const Field& share);
// The number, without a percent sign; 0 if it is none.
std::int64_t share_of(const Field& share);

}  // namespace tabernetes::registry::validation
