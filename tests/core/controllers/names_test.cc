#include <catch2/catch_test_macros.hpp>

#include "../faults.h"
#include "tabernetes/options.h"

namespace tabernetes {
namespace {

TEST_CASE("controllers: a list of names as kube-controller-manager reads it", "[controllers]") {
  struct Case {
    std::string_view list;
    std::vector<std::string> names;
  };
  const std::vector<std::string> all = {
      "serviceaccount-controller",    "root-ca-certificate-publisher-controller",
      "garbage-collector-controller", "namespace-controller",
      "disruption-controller",        "clusterrole-aggregation-controller"};
  const Case cases[] = {
      {"", {}},
      {"none", {}},
      {"*", all},
      {"all", all},
      {"gc", {"garbage-collector-controller"}},
      {"garbagecollector,namespace-controller",
       {"garbage-collector-controller", "namespace-controller"}},
      {"namespace,-namespace", {}},
      {"-gc,-serviceaccount,*",
       {"root-ca-certificate-publisher-controller", "namespace-controller", "disruption-controller",
        "clusterrole-aggregation-controller"}},
  };
  for (const Case& c : cases) {
    INFO(c.list);
    const auto names = parse_controllers(c.list);
    REQUIRE(names);
    CHECK(*names == c.names);
  }
  CHECK(tests::message_of(parse_controllers("gc,-job")) == "unknown controller -job");
  CHECK(tests::message_of(parse_controllers("-")) == "unknown controller -");
}

}  // namespace
}  // namespace tabernetes
