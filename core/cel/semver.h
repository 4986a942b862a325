// Semantic versions. Source: github.com/blang/semver/v4.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tabernetes::cel {

struct Semver {
  std::uint64_t numbers[3] = {};
  std::string_view before;  // behind '-', with dots
  std::string_view build;   // behind '+'
};

// An error's text, or nothing.
std::string parse_semver(std::string_view text, Semver& version);

// -1, 0, 1. REQUIRES: both are versions.
int compare_semver(std::string_view a, std::string_view b);

}  // namespace tabernetes::cel
