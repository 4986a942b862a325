// Checks all guarantees of resource versions: random histories over the public API against a naive
// model.
//
//   TABERNETES_PROPERTY_SEED=7 TABERNETES_PROPERTY_STEPS=20000 build/dev/bin/property_versions
//
// runs that seed and the ones after it, TABERNETES_PROPERTY_RUNS in all.
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "driver.h"

namespace tabernetes::property {
namespace {

std::uint64_t number_or(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST_CASE("versions property: random histories agree with the naive model", "[property]") {
  const std::uint64_t first = number_or("TABERNETES_PROPERTY_SEED", 1);
  const std::uint64_t steps = number_or("TABERNETES_PROPERTY_STEPS", 400);
  const std::uint64_t runs = number_or("TABERNETES_PROPERTY_RUNS", 6);
  for (std::uint64_t seed = first; seed < first + runs; ++seed) {
    const std::string wrong = report(seed, steps);
    if (wrong.empty()) continue;
    std::fputs((wrong + "\n").c_str(), stderr);  // Catch2 would fold the lines of the requests
    FAIL("seed " << seed << ": see above");
  }
  SUCCEED();
}

}  // namespace
}  // namespace tabernetes::property
