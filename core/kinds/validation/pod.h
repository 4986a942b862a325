// Validation of pods and pod templates. Source: spec/defaults-validation.md 1; upstream 1.36
// pkg/apis/core/validation/validation.go. Upstream tolerates on update some objects stored by old
// releases; they cannot exist here.
#pragma once

#include "rules/field.h"

namespace tabernetes::registry::validation {

// Validate a pod on create, on update and on a write to its status, apart from metadata.
void validate_pod(const Field& pod);
void validate_pod_update(const Field& pod, const Field& old);
void validate_pod_status(const Field& pod, const Field& old);

// Runs the checks common to create and all updates, including those of subresources.
void validate_pod_common(const Field& pod);
// Checks immutable annotations; for every update.
void validate_pod_annotation_update(const Field& pod, const Field& old);

// Validates a PodTemplateSpec.
void validate_pod_template(const Field& tmpl);

}  // namespace tabernetes::registry::validation
