#include <catch2/catch_test_macros.hpp>

#include "tabernetes/controllers.h"

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
    std::vector<std::string> names;
    CHECK(parse_controllers(c.list, names).empty());
    CHECK(names == c.names);
  }
  std::vector<std::string> names = {"as it was"};
  CHECK(parse_controllers("gc,-job", names) == "unknown controller -job");
  CHECK(parse_controllers("-", names) == "unknown controller -");
  CHECK(names == std::vector<std::string>{"as it was"});
}

}  // namespace
}  // namespace tabernetes
