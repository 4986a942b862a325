// Label selectors in objects: matchLabels and matchExpressions. Source: upstream 1.36 apimachinery
// pkg/apis/meta/v1/validation, LabelSelectorAsSelector.
#pragma once

#include "kinds/row/rules.h"

namespace tabernetes::registry::kinds {

extern const Rules kSelectorRules;

// Checks a selector, which may be missing; returns true if it is valid.
bool validate_label_selector(const Field& selector);

// Returns true if the selector selects these labels; a missing one selects nothing, an empty one
// everything. REQUIRES: validate_label_selector returned true.
bool selects(const Field& selector, const Field& labels);
// Does the same for a map, as in ReplicationControllers; an empty one selects everything.
bool selects_by_map(const Field& selector, const Field& labels);

// Check a map of labels or annotations, which may be missing; errors are reported at its own path.
void validate_label_map(const Field& labels);
void validate_annotation_map(const Field& annotations);

}  // namespace tabernetes::registry::kinds
