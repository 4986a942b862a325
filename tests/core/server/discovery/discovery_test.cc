#include "server/discovery/discovery.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../../recordings.h"
#include "kinds/table/built_in_kind.h"
#include "registry/kind/resource_type.h"
#include "server/discovery/aggregated_discovery.h"

namespace tabernetes::server {
namespace {

Groups built_in_groups() { return registry::built_in_resources()->groups(); }

// Returns our document for a plain discovery path as text, or an empty text.
std::string document(std::string_view path, json::Arena& arena) {
  const Groups groups = built_in_groups();
  std::optional<json::Value> value;
  if (path == "/api") {
    value = api_versions("127.0.0.1:18443", arena);
  } else if (path == "/apis") {
    value = api_group_list(groups, arena);
  } else if (path == "/api/v1") {
    value = api_resource_list(groups, "", "v1", true, arena);
  } else {
    path.remove_prefix(std::string_view("/apis/").size());
    const std::size_t slash = path.find('/');
    value =
        slash == std::string_view::npos
            ? api_group(groups, path, arena)
            : api_resource_list(groups, path.substr(0, slash), path.substr(slash + 1), true, arena);
  }
  return value ? tests::to_text(*value) : std::string();
}

TEST_CASE("discovery: plain documents are those of a real server, to the byte", "[server]") {
  const tests::Recordings recordings("discovery");
  for (const char* scenario : {"api",
                               "apis",
                               "api-v1",
                               "apps-v1",
                               "batch-v1",
                               "autoscaling-v2",
                               "policy-v1",
                               "networking-k8s-io-v1",
                               "rbac-authorization-k8s-io-v1",
                               "authorization-k8s-io-v1",
                               "authentication-k8s-io-v1",
                               "coordination-k8s-io-v1",
                               "discovery-k8s-io-v1",
                               "events-k8s-io-v1",
                               "storage-k8s-io-v1",
                               "admissionregistration-k8s-io-v1",
                               "apiextensions-k8s-io-v1",
                               "apiregistration-k8s-io-v1",
                               "scheduling-k8s-io-v1",
                               "flowcontrol-apiserver-k8s-io-v1",
                               "certificates-k8s-io-v1",
                               "node-k8s-io-v1"}) {
    const auto steps = recordings.steps(scenario);
    REQUIRE(!steps.empty());
    for (const json::Value& step : steps) {
      INFO(tests::path_of(step));
      json::Arena arena;
      CHECK(document(tests::path_of(step), arena) == tests::to_text(*tests::body_of(step)));
    }
  }
}

TEST_CASE("discovery: what is not served has no document", "[server]") {
  const Groups groups = built_in_groups();
  json::Arena arena;
  CHECK(!api_group(groups, "nope", arena));
  CHECK(!api_group(groups, "", arena));
  CHECK(!api_group(groups, "storagemigration.k8s.io", arena));  // only a beta version
  CHECK(!api_resource_list(groups, "apps", "v2", true, arena));
  CHECK(!api_resource_list(groups, "", "v2", true, arena));
  CHECK(!api_resource_list(groups, "certificates.k8s.io", "v1beta1", true, arena));
}

TEST_CASE("discovery: aggregated documents are those of a real server, to the byte", "[server]") {
  const tests::Recordings recordings("discovery");
  json::Arena arena;
  const auto core = recordings.steps("aggregated-core");
  REQUIRE(core.size() == 1);
  CHECK(tests::to_text(aggregated_api(built_in_groups(), arena)) ==
        tests::to_text(*tests::body_of(core[0])));
  const auto named = recordings.steps("aggregated-apis");
  REQUIRE(named.size() == 1);
  CHECK(tests::to_text(aggregated_apis(built_in_groups(), arena)) ==
        tests::to_text(*tests::body_of(named[0])));
}

}  // namespace
}  // namespace tabernetes::server
