// Validation of the status of jobs. Source: spec/defaults-validation.md 3; upstream 1.36
// pkg/apis/batch/validation/validation.go, pkg/registry/batch/job/strategy.go.
#pragma once

#include "rules/field.h"

namespace tabernetes::registry::validation {

void validate_job_status(const Field& job, const Field& old);

}  // namespace tabernetes::registry::validation
