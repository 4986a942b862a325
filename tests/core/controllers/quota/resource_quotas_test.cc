#include <string>

#include "../loop_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kTestedQuotas{"", "v1", "resourcequotas"};
constexpr LoopFixture::Resource kCountedPods{"", "v1", "pods"};

TEST_CASE("quotas: the status has the limits and what is used", "[controllers]") {
  LoopFixture cluster("resourcequota-controller");
  const auto put_pod = [&](std::string_view name, std::string_view phase) {
    cluster.put(kCountedPods, "default",
                R"({"metadata":{"name":")" + std::string(name) +
                    R"("},"spec":{"containers":[{"name":"c","resources":{"requests":)"
                    R"({"cpu":"300m"}}}]},"status":{"phase":")" +
                    std::string(phase) + R"("}})");
  };
  put_pod("p", "Running");
  put_pod("q", "Running");
  REQUIRE(cluster.create(kTestedQuotas, "default",
                         R"({"metadata":{"name":"x"},"spec":{"hard":{"pods":"4",)"
                         R"("requests.cpu":"1","count/jobs.batch":"2"}}})") == "");
  cluster.run();
  const auto status = [&] { return cluster.stored(kTestedQuotas, "default", "x", "status"); };
  CHECK(status() == R"({"hard":{"count/jobs.batch":"2","pods":"4","requests.cpu":"1"},)"
                    R"("used":{"count/jobs.batch":"0","pods":"2","requests.cpu":"600m"}})");
  put_pod("p", "Succeeded");
  cluster.run();
  CHECK(cluster.stored(kTestedQuotas, "default", "x", "status.used") ==
        R"({"count/jobs.batch":"0","pods":"1","requests.cpu":"300m"})");
  cluster.remove(kCountedPods, "default", "q");
  cluster.run();
  CHECK(cluster.stored(kTestedQuotas, "default", "x", "status.used") ==
        R"({"count/jobs.batch":"0","pods":"0","requests.cpu":"0"})");
  // Other changes of pods cost nothing.
  put_pod("p", "Succeeded");
  CHECK(cluster.run() == 0);
}

TEST_CASE("quotas: of a scope", "[controllers]") {
  LoopFixture cluster("resourcequota-controller");
  cluster.put(kCountedPods, "default",
              R"({"metadata":{"name":"p"},"spec":{"activeDeadlineSeconds":9,"containers":[]}})");
  cluster.put(kCountedPods, "default", R"({"metadata":{"name":"q"},"spec":{"containers":[]}})");
  REQUIRE(cluster.create(kTestedQuotas, "default",
                         R"({"metadata":{"name":"x"},"spec":{"hard":{"pods":"4"},)"
                         R"("scopes":["Terminating"]}})") == "");
  cluster.run();
  CHECK(cluster.stored(kTestedQuotas, "default", "x", "status.used") == R"({"pods":"1"})");
}

}  // namespace
}  // namespace tabernetes::controllers
