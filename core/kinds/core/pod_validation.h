// Validation of pods. Source: spec/defaults-validation.md 1; upstream 1.36
// pkg/apis/core/validation/validation.go. Upstream tolerates on update some objects stored by old
// releases; they cannot exist here.
#pragma once

#include "kinds/row/rules.h"

namespace tabernetes::registry::kinds {

// Validate a pod on create, on update and on a write to its status, apart from metadata.
void validate_pod(const Field& pod);
void validate_pod_update(const Field& pod, const Field& old);
void validate_pod_status(const Field& pod, const Field& old);

// Runs the checks common to create and all updates, including those of subresources.
void validate_pod_common(const Field& pod);

}  // namespace tabernetes::registry::kinds
