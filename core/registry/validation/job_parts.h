// The parts of the validation of jobs.
#pragma once

#include <string>
#include <string_view>

#include "registry/validation/field.h"

namespace tabernetes::registry::validation {

// job_policies: podFailurePolicy, podReplacementPolicy and successPolicy of a JobSpec.
void validate_job_policies(const Field& spec);

// job_indexes: "1,3-5,7", each below `completions`.
struct Indexes {
  std::int64_t count = 0;
  std::string error;  // empty: there is none
};
Indexes read_indexes(std::string_view text, std::int64_t completions);
// Where both have the same index; empty if nowhere.
std::string overlap_of(std::string_view completed, std::string_view failed,
                       std::int64_t completions);

// The spec of a job, also of one that a cron job will make.
void validate_job_spec(const Field& spec);
bool is_indexed(const Field& spec);

}  // namespace tabernetes::registry::validation
