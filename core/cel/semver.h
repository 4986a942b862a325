// Semantic versions. Source: github.com/blang/semver/v4.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tabernetes::cel {

struct Semver {
  std::uint64_t numbers[3] = {};
  std::string_view before;  // after '-', with dots
  std::string_view build;   // after '+'
};

// Parses a version; returns an error message, or an empty text.
std::string parse_semver(std::string_view text, Semver& version);

// Returns -1, 0 or 1. REQUIRES: both are valid versions.
int compare_semver(std::string_view a, std::string_view b);

}  // namespace tabernetes::cel
