// A run: a seed, and the steps to take. Each step has its own random numbers, so that leaving out
// steps does not change the others; this makes a failing run easy to shrink.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client.h"

namespace tabernetes::property {

struct Plan {
  std::uint64_t seed = 0;
  std::vector<std::uint64_t> steps;

  static Plan of(std::uint64_t seed, std::uint64_t steps);
};

// Returns what went wrong, or nullopt. The steps are written as requests to `script`.
std::optional<std::string> run(const Plan& plan, Script* script);

// Returns a smaller plan that also fails, though perhaps for another reason.
Plan shrink(Plan plan);

// Runs the steps. On failure returns a report: the seed, the steps of the smallest failing plan,
// and the error.
std::string report(std::uint64_t seed, std::uint64_t steps);

}  // namespace tabernetes::property
