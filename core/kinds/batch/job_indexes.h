// Lists of the indexes of a job.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tabernetes::registry::kinds {

// A list of indexes as parsed from "1,3-5,7", each below `completions`.
struct Indexes {
  std::int64_t count = 0;
  std::string error;  // empty if valid
};
Indexes read_indexes(std::string_view text, std::int64_t completions);
// Returns an error with the first common index, or an empty text.
std::string overlap_of(std::string_view completed, std::string_view failed,
                       std::int64_t completions);

}  // namespace tabernetes::registry::kinds
