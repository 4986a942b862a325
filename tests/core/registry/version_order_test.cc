#include "registry/meta/version_order.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string_view>
#include <vector>

namespace tabernetes::registry {
namespace {

TEST_CASE("versions are ordered by stability, then by number, then by name") {
  const std::vector<std::string_view> wanted = {"v10",      "v2",      "v1",        "v11beta2",
                                                "v10beta3", "v3beta1", "v12alpha1", "v11alpha2",
                                                "foo1",     "foo10",   "v0",        "v1alpha"};
  std::vector<std::string_view> sorted = wanted;
  std::reverse(sorted.begin(), sorted.end());
  std::sort(sorted.begin(), sorted.end(), version_precedes);
  CHECK(sorted == wanted);
}

}  // namespace
}  // namespace tabernetes::registry
