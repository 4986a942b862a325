#include "registry/meta/name_constraints.h"

#include <catch2/catch_test_macros.hpp>

#include "rows.h"

namespace tabernetes::registry {
namespace {

TEST_CASE("name_constraints: every kind accepts the names of its format", "[registry]") {
  struct Case {
    std::string_view group, plural, name;
    bool fine;
  };
  static constexpr Case kCases[] = {
      {"", "pods", "a.b", true},
      {"", "pods", "A", false},
      {"", "namespaces", "a-b", true},
      {"", "namespaces", "a.b", false},
      {"", "services", "1web", true},
      {"", "services", "a.b", false},
      {"apps", "statefulsets", "a.b", false},
      {"apps", "deployments", "a.b", true},
      {"rbac.authorization.k8s.io", "roles", "system:Node", true},
      {"rbac.authorization.k8s.io", "clusterrolebindings", "a/b", false},
      {"policy", "poddisruptionbudgets", "Any_Thing", true},
      {"certificates.k8s.io", "certificatesigningrequests", "Any_Thing", true},
      {"batch", "cronjobs", "cccccccccccccccccccccccccccccccccccccccccccccccccccc", true},
      {"batch", "cronjobs", "ccccccccccccccccccccccccccccccccccccccccccccccccccccc", false},
      {"batch", "jobs", "ccccccccccccccccccccccccccccccccccccccccccccccccccccc", true},
      {"admissionregistration.k8s.io", "validatingwebhookconfigurations", "a.b", true},
      {"example.com", "anything", "A", false},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.plural << " " << c.name) {
      CHECK(name_faults(row_of(c.group, c.plural).names, c.name).empty() == c.fine);
    }
  }
  CHECK(name_faults(row_of("batch", "cronjobs").names, std::string(53, 'c')) ==
        Faults{"must be no more than 52 characters"});
}

TEST_CASE("name_constraints: the prefix of a generated name may end in a dash", "[registry]") {
  struct Case {
    std::string_view group, plural, prefix;
    bool fine;
  };
  static constexpr Case kCases[] = {
      {"", "pods", "job-", true},      {"", "pods", "job", true},
      {"", "pods", "Up_", false},      {"", "pods", "-", false},
      {"", "pods", "a--", true},       {"", "services", "web-", true},
      {"", "services", "a.b-", false}, {"rbac.authorization.k8s.io", "roles", "..", true},
      {"", "pods", "-a-", false},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.plural << " " << c.prefix) {
      CHECK(name_prefix_faults(row_of(c.group, c.plural).names, c.prefix).empty() == c.fine);
    }
  }
}

}  // namespace
}  // namespace tabernetes::registry
