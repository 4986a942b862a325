#include "kinds/core/pod_create.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../hook_fixture.h"

namespace tabernetes::registry::kinds {
namespace {

// `part` is compared with `expected` after defaulting.
TEST_CASE("pod defaults: computed from other fields", "[registry]") {
  struct Case {
    std::string_view name, spec, part, expected;
  };
  static constexpr Case kCases[] = {
      {"requests follow limits",
       R"({"containers":[{"resources":{"limits":{"cpu":"1","x/y":"2"}}}]})", "containers",
       R"([{"resources":{"limits":{"cpu":"1","x/y":"2"},"requests":{"cpu":"1","x/y":"2"}},"imagePullPolicy":"IfNotPresent","terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}])"},
      {"requests that are there stay",
       R"({"initContainers":[{"image":"a:1","resources":{"limits":{"cpu":"1","memory":"2"},"requests":{"memory":"1"}}}]})",
       "initContainers",
       R"([{"image":"a:1","resources":{"limits":{"cpu":"1","memory":"2"},"requests":{"cpu":"1","memory":"1"}},"imagePullPolicy":"IfNotPresent","terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}])"},
      {"a pod's requests are its containers' sum",
       R"({"resources":{"limits":{"cpu":"2","memory":"1Gi","x/y":"1"}},"containers":[{"resources":{"requests":{"cpu":"250m"}}},{"resources":{"requests":{"cpu":"1"}}}]})",
       "resources",
       R"({"limits":{"cpu":"2","memory":"1Gi","x/y":"1"},"requests":{"cpu":"1250m","memory":"1Gi"}})"},
      {"an init container can ask for more than the sum",
       R"({"resources":{"limits":{"cpu":"4"}},"containers":[{"resources":{"requests":{"cpu":"1"}}}],"initContainers":[{"restartPolicy":"Always","resources":{"requests":{"cpu":"500m"}}},{"resources":{"requests":{"cpu":"2"}}}]})",
       "resources", R"({"limits":{"cpu":"4"},"requests":{"cpu":"2500m"}})"},
      {"a volume without a source is an empty directory", R"({"volumes":[{"name":"v"}]})",
       "volumes", R"([{"name":"v","emptyDir":{}}])"},
      {"files of a volume have a mode",
       R"({"volumes":[{"name":"v","secret":{"secretName":"s"}},{"name":"w","configMap":{"name":"c","defaultMode":256}}]})",
       "volumes",
       R"([{"name":"v","secret":{"secretName":"s","defaultMode":420}},{"name":"w","configMap":{"name":"c","defaultMode":256}}])"},
      {"an explicit zero stays", R"({"terminationGracePeriodSeconds":0})",
       "terminationGracePeriodSeconds", "0"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) {
      HookFixture fixture;
      json::Value pod = fixture.object(R"({"spec":)" + std::string(c.spec) + "}");
      set_pod_defaults(fixture.context, pod);
      CHECK(fixture.text(*pod.at({"spec", c.part})) == c.expected);
    }
  }
}

}  // namespace
}  // namespace tabernetes::registry::kinds
