// Validation of pod templates. Source: spec/defaults-validation.md 1; upstream 1.36
// pkg/apis/core/validation/validation.go. Upstream tolerates on update some objects stored by old
// releases; they cannot exist here.
#pragma once

#include "kinds/row/rules.h"

namespace tabernetes::registry::kinds {

// Validates a PodTemplateSpec.
void validate_pod_template(const Field& tmpl);

}  // namespace tabernetes::registry::kinds
