// The parts of the validation of jobs.
#pragma once

#include <string>
#include <string_view>

#include "rules/field.h"

namespace tabernetes::registry::validation {

// job_indexes: "1,3-5,7", each below `completions`.
struct Indexes {
  std::int64_t count = 0;
  std::string error;  // empty: there is none
};
Indexes read_indexes(std::string_view text, std::int64_t completions);
// Where both have the same index; empty if nowhere.
std::string overlap_of(std::string_view completed, std::string_view failed,
                       std::int64_t completions);

bool is_indexed(const Field& spec);

}  // namespace tabernetes::registry::validation
