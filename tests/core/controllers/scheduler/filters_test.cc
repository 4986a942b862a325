#include "scheduler_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr std::string_view kAntiAffinity =
    R"("affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{"matchLabels":{"app":"a"}},"topologyKey":"kubernetes.io/hostname"}]}})";
constexpr std::string_view kAppA = R"("labels":{"app":"a"})";

}  // namespace

TEST_CASE_METHOD(SchedulerFixture, "scheduler: without nodes", "[controllers]") {
  add_pod("web");
  run();
  CHECK(place("web") == "(no nodes available to schedule pods)");
  put_node("a");
  run();
  CHECK(place("web") == "a");
}

TEST_CASE_METHOD(SchedulerFixture, "scheduler: a pod is bound, and says so", "[controllers]") {
  put_node("a");
  add_pod("web");
  run();
  CHECK(place("web") == "a");
  CHECK(events() ==
        std::vector<std::string>{"Scheduled web: Successfully assigned default/web to a"});
  const json::Value found = registry.find_object(kPods, "default", "web", arena);
  const json::Value& condition = items_at(found, {"status", "conditions"})[0];
  CHECK(condition.string_at("type") == "PodScheduled");
  CHECK(condition.string_at("status") == "True");
  CHECK_FALSE(json::has(condition, {"reason"}));
}

TEST_CASE_METHOD(SchedulerFixture, "scheduler: what does not fit", "[controllers]") {
  put_node("a", R"("zone":"z")", "", R"("cpu":"1","memory":"1Gi","pods":"1")");
  SECTION("CPU") {
    add_pod("web", "", "", R"("cpu":"2","memory":"2Gi")");
    run();
    CHECK(place("web") == "(0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory." +
                              not_helpful(1) + ")");
  }
  SECTION("extended resources") {
    REQUIRE(
        create(
            kPods, "default",
            R"({"metadata":{"name":"web"},"spec":{"containers":[{"name":"c","image":"i","resources":{"requests":{"example.com/gpu":"1"},"limits":{"example.com/gpu":"1"}}}]}})") ==
        "");
    run();
    CHECK(place("web") ==
          "(0/1 nodes are available: 1 Insufficient example.com/gpu." + not_helpful(1) + ")");
  }
  SECTION("pods") {
    add_pod("first");
    run();
    add_pod("second");
    run();
    CHECK(place("second") == "(0/1 nodes are available: 1 Too many pods." + no_victims(1) + ")");
    remove(kPods, "default", "first");
    run();
    CHECK(place("second") == "a");
  }
  SECTION("ports") {
    put_node("a");
    put_running("first", "a");
    put(kPods, "default",
        R"({"metadata":{"name":"first","uid":"f"},"spec":{"nodeName":"a","containers":[{"name":"c","ports":[{"hostPort":80,"hostIP":"127.0.0.1","protocol":"TCP"}]}]}})");
    REQUIRE(
        create(
            kPods, "default",
            R"({"metadata":{"name":"second"},"spec":{"containers":[{"name":"c","image":"i","ports":[{"containerPort":80,"hostPort":80}]}]}})") ==
        "");
    run();
    CHECK(place("second") ==
          "(0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod "
          "ports." +
              no_victims(1) + ")");
  }
  SECTION("node selectors") {
    add_pod("web", R"("nodeSelector":{"zone":"y"})");
    run();
    CHECK(place("web") ==
          "(0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector." +
              not_helpful(1) + ")");
    put_node("b", R"("zone":"y")");
    run();
    CHECK(place("web") == "b");
  }
  SECTION("taints, and nodes that are cordoned") {
    put_node("a", "", R"("unschedulable":true)");
    put_node("b", "", R"("taints":[{"key":"k","effect":"NoExecute"}])");
    put_node("c", "", R"("taints":[{"key":"k","effect":"NoSchedule"}])");
    add_pod("web");
    run();
    CHECK(place("web") ==
          "(0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) had untolerated "
          "taint(s)." +
              not_helpful(3) + ")");
    add_pod("tolerant", R"("tolerations":[{"key":"k","operator":"Exists","effect":"NoSchedule"}])");
    run();
    CHECK(place("tolerant") == "c");
    put_node("a");
    run();
    CHECK(place("web") == "a");
  }
}

TEST_CASE_METHOD(SchedulerFixture, "scheduler: affinity that names nodes looks at no other",
                 "[controllers]") {
  put_node("a");
  put_node("b");
  put_node("c", "", R"("unschedulable":true)");
  const std::string affinity =
      R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["NODE"]}]}]}}})";
  const auto on = [&](std::string_view node) {
    std::string text = affinity;
    return text.replace(text.find("NODE"), 4, node);
  };
  add_pod("web", on("b"));
  add_pod("other", on("c"));
  add_pod("lost", on("d"));
  run();
  CHECK(place("web") == "b");
  CHECK(place("other") ==
        "(0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't satisfy "
        "plugin(s) [NodeAffinity]." +
            not_helpful(3) + ")");
  CHECK(place("lost") ==
        "(0/3 nodes are available: 3 node(s) didn't satisfy plugin(s) [NodeAffinity]." +
            not_helpful(3) + ")");
}

TEST_CASE_METHOD(SchedulerFixture, "scheduler: anti-affinity counts for both", "[controllers]") {
  put_node("a");
  add_pod("first", kAntiAffinity, kAppA);
  run();
  CHECK(place("first") == "a");
  add_pod("second", kAntiAffinity, kAppA);
  add_pod("plain", "", kAppA);
  run();
  CHECK(place("second") ==
        "(0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules." +
            no_victims(1) + ")");
  CHECK(place("plain") ==
        "(0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules." +
            no_victims(1) + ")");
  put_node("b");
  run();
  CHECK(place("second") == "b");
  remove(kPods, "default", "first");
  run();
  CHECK(place("plain") == "a");
}

TEST_CASE_METHOD(SchedulerFixture, "scheduler: affinity", "[controllers]") {
  constexpr std::string_view kWithA =
      R"("affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{"matchLabels":{"app":"a"}},"topologyKey":"kubernetes.io/hostname"}]}})";
  put_node("a");
  put_node("b");
  add_pod("follower", kWithA);
  run();
  CHECK(place("follower") ==
        "(0/2 nodes are available: 2 node(s) didn't match pod affinity rules." + not_helpful(2) +
            ")");
  SECTION("to a pod that comes") {
    put_running("leader", "b", "", kAppA);
    run();
    CHECK(place("follower") == "b");
  }
  SECTION("to itself") {
    add_pod("leader", kWithA, kAppA);
    run();
    CHECK(place("leader") != "()");
    CHECK(place("follower") == place("leader"));
  }
}

TEST_CASE_METHOD(SchedulerFixture, "scheduler: topology spread", "[controllers]") {
  constexpr std::string_view kSpread =
      R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"app":"a"}}}])";
  put_node("a", R"("zone":"y")");
  put_node("b", R"("zone":"z")", R"("unschedulable":true)");
  put_node("c");
  add_pod("first", kSpread, kAppA);
  run();
  CHECK(place("first") == "a");
  add_pod("second", kSpread, kAppA);
  run();
  CHECK(place("second") ==
        "(0/3 nodes are available: 1 node(s) didn't match pod topology spread constraints, 1 "
        "node(s) didn't match pod topology spread constraints (missing required label), 1 node(s) "
        "were unschedulable. no new claims to deallocate, preemption: 0/3 nodes are available: 1 "
        "No preemption victims found for incoming pod, 2 Preemption is not helpful for "
        "scheduling.)");
  put_node("b", R"("zone":"z")");
  run();
  CHECK(place("second") == "b");
}

TEST_CASE_METHOD(SchedulerFixture, "scheduler: gates and other schedulers", "[controllers]") {
  put_node("a");
  add_pod("gated", R"("schedulingGates":[{"name":"example.com/g"}])");
  add_pod("other", R"("schedulerName":"mine")");
  run();
  CHECK(place("gated") == "(Scheduling is blocked due to non-empty scheduling gates)");
  CHECK(place("other") == "()");
  const json::Value found = registry.find_object(kPods, "default", "gated", arena);
  std::string text = tests::json_text(found);
  constexpr std::string_view kGates = R"([{"name":"example.com/g"}])";
  REQUIRE(text.find(kGates) != std::string::npos);
  text.replace(text.find(kGates), kGates.size(), "[]");
  put(kPods, "default", text);
  run();
  CHECK(place("gated") == "a");
  CHECK(place("other") == "()");
}

}  // namespace tabernetes::controllers
