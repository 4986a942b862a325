#include "scheduler_fixture.h"

namespace tabernetes::controllers {

TEST_CASE_METHOD(SchedulerFixture, "scheduler: preemption", "[controllers]") {
  put_node("a", "", "", R"("cpu":"1","memory":"8Gi","pods":"110")");
  put_running("low", "a", R"("priority":-5)", R"("labels":{"app":"low"})", R"("cpu":"500m")");
  put_running("lower", "a", R"("priority":-9)", R"("labels":{"app":"lower"})", R"("cpu":"500m")");
  run();
  SECTION("takes the least important pods that suffice") {
    add_pod("high", R"("priority":10)", "", R"("cpu":"500m")");
    run();
    CHECK(place("high") == "(0/1 nodes are available: 1 Insufficient cpu.)");
    CHECK(stored(kPods, "default", "high", "status.nominatedNodeName") == "\"a\"");
    CHECK(stored(kPods, "default", "low", "metadata.deletionTimestamp").empty());
    CHECK_FALSE(stored(kPods, "default", "lower", "metadata.deletionTimestamp").empty());
    CHECK(stored(kPods, "default", "lower", "status.conditions.0.reason") ==
          "\"PreemptionByScheduler\"");
    CHECK(stored(kPods, "default", "lower", "status.conditions.0.message") ==
          "\"default-scheduler: preempting to accommodate a higher priority pod\"");
    const std::string uid = stored(kPods, "default", "high", "metadata.uid");
    CHECK(events() ==
          std::vector<std::string>{
              "FailedScheduling high: 0/1 nodes are available: 1 Insufficient cpu.",
              "Preempted lower: Preempted by pod " + uid.substr(1, uid.size() - 2) + " on node a"});
    // Pods of less priority may not take the place meanwhile.
    add_pod("other", R"("priority":5)", "", R"("cpu":"500m")");
    run();
    CHECK(place("other").starts_with("(0/1 nodes are available: 1 Insufficient cpu."));
    remove(kPods, "default", "lower");
    run();
    CHECK(place("high") == "a");
    CHECK(stored(kPods, "default", "high", "status.nominatedNodeName").empty());
  }
  SECTION("not by pods that never preempt") {
    add_pod("meek", R"("priority":10,"preemptionPolicy":"Never")", "", R"("cpu":"500m")");
    run();
    CHECK(place("meek") ==
          "(0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: "
          "not eligible due to preemptionPolicy=Never.)");
  }
  SECTION("not of pods of the same priority") {
    add_pod("equal", R"("priority":-9)", "", R"("cpu":"500m")");
    run();
    CHECK(place("equal") == "(0/1 nodes are available: 1 Insufficient cpu." + no_victims(1) + ")");
  }
  SECTION("spares what a budget protects") {
    put({"policy", "v1", "poddisruptionbudgets"}, "default",
        R"({"metadata":{"name":"b"},"spec":{"selector":{"matchLabels":{"app":"lower"}}},"status":{"disruptionsAllowed":0}})");
    add_pod("high", R"("priority":10)", "", R"("cpu":"500m")");
    run();
    CHECK_FALSE(stored(kPods, "default", "low", "metadata.deletionTimestamp").empty());
    CHECK(stored(kPods, "default", "lower", "metadata.deletionTimestamp").empty());
  }
  SECTION("does not help a pod that is too large for the node") {
    add_pod("huge", R"("priority":10)", "", R"("cpu":"5")");
    run();
    CHECK(place("huge") == "(0/1 nodes are available: 1 Insufficient cpu." + not_helpful(1) + ")");
  }
}

}  // namespace tabernetes::controllers
