// A run: a seed, and which of its steps are taken. Each step draws its own chances, so that leaving
// steps out keeps the others as they are; so a failing run is made small.
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

// What went wrong; nothing if all went well. The steps as requests are written to `script`.
std::optional<std::string> run(const Plan& plan, Script* script);

// A smaller plan that fails too, though perhaps for another reason.
Plan shrink(Plan plan);

// A run, and if it fails a report: the seed, the steps of the smallest failing plan, what is wrong.
std::string report(std::uint64_t seed, std::uint64_t steps);

}  // namespace tabernetes::property
