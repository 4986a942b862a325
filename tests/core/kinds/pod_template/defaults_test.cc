#include "kinds/pod_template/defaults.h"

#include <catch2/catch_test_macros.hpp>
#include <string_view>

namespace tabernetes::registry::kinds {
namespace {

TEST_CASE("image pull policy: by tag and digest", "[registry]") {
  struct Case {
    std::string_view image, policy;
  };
  static constexpr Case kCases[] = {
      {"nginx", "Always"},
      {"nginx:latest", "Always"},
      {"nginx:1.27", "IfNotPresent"},
      {"", "IfNotPresent"},
      {"registry.example:5000/nginx", "Always"},
      {"registry.example:5000/nginx:1", "IfNotPresent"},
      {"nginx@sha256:aaaa", "IfNotPresent"},
      {"nginx:latest@sha256:aaaa", "Always"},
      {"registry.example:5000/team/nginx@sha256:aaaa", "IfNotPresent"},
  };
  for (const Case& c : kCases) {
    CAPTURE(c.image);
    CHECK(image_pull_policy(c.image) == c.policy);
  }
}

}  // namespace
}  // namespace tabernetes::registry::kinds
