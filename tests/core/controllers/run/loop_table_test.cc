#include "controllers/run/loop_table.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "../../faults.h"
#include "tabernetes/options.h"

namespace tabernetes {
namespace {

TEST_CASE("controllers: a list of names as kube-controller-manager reads it", "[controllers]") {
  struct Case {
    std::string_view list;
    std::vector<std::string> names;
  };
  std::vector<std::string> all, some;
  for (const controllers::LoopRow& row : controllers::loop_table()) {
    if (!row.by_default) continue;
    all.emplace_back(row.name);
    if (row.brief != "gc" && row.alias != "serviceaccount") some.emplace_back(row.name);
  }
  REQUIRE(some.size() == all.size() - 2);
  const Case cases[] = {
      {"", {}},
      {"none", {}},
      {"*", all},
      {"all", all},
      {"gc", {"garbage-collector-controller"}},
      {"garbagecollector,namespace-controller",
       {"garbage-collector-controller", "namespace-controller"}},
      {"namespace,-namespace", {}},
      {"gc,node-route-controller,-service-cidr-controller", {"garbage-collector-controller"}},
      {"-gc,-serviceaccount,*", some},
  };
  for (const Case& c : cases) {
    INFO(c.list);
    const auto names = parse_controllers(c.list);
    REQUIRE(names);
    CHECK(*names == c.names);
  }
  CHECK(tests::message_of(parse_controllers("gc,-robot")) == "unknown controller -robot");
  CHECK(tests::message_of(parse_controllers("-")) == "unknown controller -");
}

}  // namespace
}  // namespace tabernetes
