// Label selectors as objects have them: matchLabels and matchExpressions.
// Source: upstream 1.36 apimachinery pkg/apis/meta/v1/validation, LabelSelectorAsSelector.
#pragma once

#include "rules/field.h"

namespace tabernetes::registry::validation {

// True if nothing was wrong; absent is fine.
bool validate_label_selector(const Field& selector);

// Whether it selects these labels. REQUIRES: validate_label_selector found nothing. Absent it
// selects nothing, empty all.
bool selects(const Field& selector, const Field& labels);
// A plain map, as replication controllers have; empty it selects all.
bool selects_by_map(const Field& selector, const Field& labels);

// Of a label map, at `labels`' own path. Absent is fine.
void validate_label_map(const Field& labels);
void validate_annotation_map(const Field& annotations);

}  // namespace tabernetes::registry::validation
