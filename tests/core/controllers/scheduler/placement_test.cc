#include <map>

#include "scheduler_fixture.h"

namespace tabernetes::controllers {

TEST_CASE_METHOD(SchedulerFixture, "scheduler: the emptier node is better", "[controllers]") {
  put_node("a");
  put_node("b");
  put_running("big", "a", "", "", R"("cpu":"2","memory":"4Gi")");
  add_pod("web", "", "", R"("cpu":"1","memory":"1Gi")");
  run();
  CHECK(place("web") == "b");
}

TEST_CASE_METHOD(SchedulerFixture, "scheduler: alike shares of CPU and memory are better",
                 "[controllers]") {
  put_node("a", "", "", R"("cpu":"8","memory":"8Gi","pods":"9")");
  put_node("b", "", "", R"("cpu":"8","memory":"8Gi","pods":"9")");
  put_running("cpu", "a", "", "", R"("cpu":"4","memory":"1Gi")");
  put_running("memory", "b", "", "", R"("cpu":"1","memory":"4Gi")");
  add_pod("web", "", "", R"("cpu":"100m","memory":"3Gi")");
  run();
  CHECK(place("web") == "a");
}

TEST_CASE_METHOD(SchedulerFixture, "scheduler: preferred nodes, and taints that are preferred not",
                 "[controllers]") {
  put_node("a");
  put_node("b", R"("disk":"fast")");
  SECTION("labels") {
    add_pod(
        "web",
        R"("affinity":{"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":9,"preference":{"matchExpressions":[{"key":"disk","operator":"In","values":["fast"]}]}}]}})");
    run();
    CHECK(place("web") == "b");
  }
  SECTION("taints") {
    put_node("a", "", R"("taints":[{"key":"k","effect":"PreferNoSchedule"}])");
    add_pod("web");
    run();
    CHECK(place("web") == "b");
  }
}

TEST_CASE_METHOD(SchedulerFixture, "scheduler: pods drawn to others", "[controllers]") {
  put_node("a");
  put_node("b");
  put_running("cache", "b", "", R"("labels":{"app":"cache"})");
  const auto preferring = [](std::string_view kind) {
    return R"("affinity":{")" + std::string(kind) +
           R"(":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":100,"podAffinityTerm":{"labelSelector":{"matchLabels":{"app":"cache"}},"topologyKey":"kubernetes.io/hostname"}}]}})";
  };
  add_pod("near", preferring("podAffinity"));
  run();
  CHECK(place("near") == "b");
  add_pod("far", preferring("podAntiAffinity"));
  run();
  CHECK(place("far") == "a");
}

TEST_CASE_METHOD(SchedulerFixture, "scheduler: images that are there, of some size",
                 "[controllers]") {
  put_node("a");
  put_node("b");
  put(kNodes, "",
      R"({"metadata":{"name":"b","labels":{"kubernetes.io/hostname":"b"}},"status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"110"},"images":[{"names":["nginx:1"],"sizeBytes":900000000}]}})");
  add_pod("web");
  run();
  CHECK(place("web") == "b");
}

TEST_CASE_METHOD(SchedulerFixture, "scheduler: pods of a service spread over hosts and zones",
                 "[controllers]") {
  put_node("a", R"("topology.kubernetes.io/zone":"y")");
  put_node("b", R"("topology.kubernetes.io/zone":"y")");
  put_node("c", R"("topology.kubernetes.io/zone":"z")");
  put_node("d", R"("topology.kubernetes.io/zone":"z")");
  put({"", "v1", "services"}, "default",
      R"({"metadata":{"name":"s"},"spec":{"selector":{"app":"a"}}})");
  run();
  for (const std::string_view name : {"p", "q", "r", "s"}) {
    add_pod(name, "", R"("labels":{"app":"a"})");
    run();
  }
  std::map<std::string, int> pods;
  for (const std::string_view name : {"p", "q", "r", "s"}) ++pods[place(name)];
  CHECK(pods == std::map<std::string, int>{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}});
  const auto zone_of = [](const std::string& node) { return node < "c" ? 'y' : 'z'; };
  CHECK(zone_of(place("p")) != zone_of(place("q")));
}

TEST_CASE_METHOD(SchedulerFixture, "scheduler: no more than what a node has", "[controllers]") {
  put_node("a", "", "", R"("cpu":"1","memory":"8Gi","pods":"110")");
  put_node("b", "", "", R"("cpu":"2","memory":"8Gi","pods":"110")");
  for (int i = 0; i < 5; ++i) add_pod("p" + std::to_string(i), "", "", R"("cpu":"600m")");
  run();
  std::map<std::string, int> pods;
  for (int i = 0; i < 5; ++i) ++pods[place("p" + std::to_string(i))];
  CHECK(pods["a"] == 1);
  CHECK(pods["b"] == 3);
}

TEST_CASE_METHOD(SchedulerFixture, "scheduler: init containers, sidecars and overhead count",
                 "[controllers]") {
  put_node("a", "", "", R"("cpu":"1","memory":"8Gi","pods":"110")");
  constexpr std::string_view kPod =
      R"({"metadata":{"name":"NAME"},"spec":{"initContainers":[INIT],"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"300m"}}}]}})";
  const auto add = [&](std::string_view name, std::string_view init) {
    std::string text(kPod);
    text.replace(text.find("NAME"), 4, name);
    text.replace(text.find("INIT"), 4, init);
    REQUIRE(create(kPods, "default", text) == "");
    run();
  };
  add("init", R"({"name":"i","image":"i","resources":{"requests":{"cpu":"1100m"}}})");
  CHECK(place("init") == "(0/1 nodes are available: 1 Insufficient cpu." + not_helpful(1) + ")");
  add("sidecar",
      R"({"name":"i","image":"i","restartPolicy":"Always","resources":{"requests":{"cpu":"800m"}}})");
  CHECK(place("sidecar") == "(0/1 nodes are available: 1 Insufficient cpu." + not_helpful(1) + ")");
  add("fits", R"({"name":"i","image":"i","resources":{"requests":{"cpu":"1"}}})");
  CHECK(place("fits") == "a");
}

}  // namespace tabernetes::controllers
