// Specs of jobs, also in cron jobs.
#pragma once

#include "kinds/row/rules.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

extern const Rules kJobSpecRules;

bool is_indexed(const Field& spec);

void warn_of_job_spec(const Field& spec, Warnings& out);

}  // namespace tabernetes::registry::kinds
