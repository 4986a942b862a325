// Validation of the status of jobs. Source: spec/defaults-validation.md 3; upstream 1.36
// pkg/apis/batch/validation/validation.go, pkg/registry/batch/job/strategy.go.
#pragma once

#include "kinds/row/rules.h"

namespace tabernetes::registry::kinds {

void validate_job_status(const Field& job, const Field& old);

}  // namespace tabernetes::registry::kinds
