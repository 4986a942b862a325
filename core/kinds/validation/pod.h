// What is wrong with a pod, and with the templates of pods in workloads.
// Source: spec/defaults-validation.md 1; upstream 1.36 pkg/apis/core/validation/validation.go. What
// upstream lets pass in updates because an old release had stored it cannot be stored here.
#pragma once

#include "rules/field.h"

namespace tabernetes::registry::validation {

// A pod on its creation, on an update of all but its status, and of its status; all beside
// metadata.
void validate_pod(const Field& pod);
void validate_pod_update(const Field& pod, const Field& old);
void validate_pod_status(const Field& pod, const Field& old);

// What holds of a pod whatever is done to it, also by its other subresources.
void validate_whole_pod(const Field& pod);
// Of annotations that may not change; at every update.
void validate_pod_annotation_update(const Field& pod, const Field& old);

// PodTemplateSpec.
void validate_pod_template(const Field& tmpl);

}  // namespace tabernetes::registry::validation
