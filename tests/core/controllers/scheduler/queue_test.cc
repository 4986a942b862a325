#include "controllers/scheduler/scheduling_queue.h"
#include "scheduler_fixture.h"

namespace tabernetes::controllers {
namespace {

using scheduling::Plugin;
using scheduling::PodInfo;
using scheduling::QueuedPod;
using scheduling::SchedulingQueue;

scheduling::PodPtr pod_of(std::string name, std::int64_t priority = 0) {
  auto pod = std::make_shared<PodInfo>();
  pod->ns = "default";
  pod->name = std::move(name);
  pod->priority = priority;
  return pod;
}

constexpr Time at(std::int64_t seconds) { return Time{seconds * 1'000'000'000}; }

std::string pop(SchedulingQueue& queue, Time now) {
  const std::optional<QueuedPod> queued = queue.pop(now, now);
  return queued ? queued->pod->name : "";
}

}  // namespace

TEST_CASE("scheduling queue: by priority, then by age", "[controllers]") {
  SchedulingQueue queue;
  queue.add(pod_of("late"), at(2), at(2));
  queue.add(pod_of("early"), at(1), at(1));
  queue.add(pod_of("high", 5), at(3), at(3));
  CHECK(queue.next() == at(1));
  CHECK(pop(queue, at(0)).empty());
  CHECK(pop(queue, at(2)) == "early");
  CHECK(pop(queue, at(3)) == "high");
  CHECK(pop(queue, at(3)) == "late");
  CHECK_FALSE(queue.next());
}

TEST_CASE("scheduling queue: what failed waits for a change", "[controllers]") {
  SchedulingQueue queue;
  QueuedPod failed{.pod = pod_of("web")};
  failed.refused_by.add(Plugin::kNodeAffinity);
  queue.add_unschedulable(failed, at(10), false);
  CHECK(queue.next() == at(310));  // it is tried again after five minutes
  CHECK(pop(queue, at(11)).empty());
  queue.move(at(11), at(11), [](const QueuedPod&) { return false; });
  CHECK(pop(queue, at(11)).empty());
  queue.move(at(11), at(11),
             [](const QueuedPod& one) { return one.refused_by.has(Plugin::kNodeAffinity); });
  CHECK(pop(queue, at(11)) == "web");
  queue.add_unschedulable(failed, at(20), false);
  CHECK(pop(queue, at(320)) == "web");
}

TEST_CASE("scheduling queue: errors back off for a second, then twice as long", "[controllers]") {
  SchedulingQueue queue;
  QueuedPod failed{.pod = pod_of("web")};
  for (const int seconds : {1, 2, 4, 8, 10, 10}) {
    queue.add_unschedulable(failed, at(100), true);
    CHECK(queue.next() == at(100 + seconds));
    CHECK_FALSE(queue.pop(at(100), at(100)));
    const std::optional<QueuedPod> again = queue.pop(at(110), at(110));
    REQUIRE(again);
    failed = *again;
  }
}

TEST_CASE("scheduling queue: active pods go before those that back off", "[controllers]") {
  SchedulingQueue queue;
  QueuedPod failed{.pod = pod_of("failed", 9)};
  failed.refused_by.add(Plugin::kNodeAffinity);
  queue.add_unschedulable(failed, at(10), false);
  queue.move(at(10), at(10), [](const QueuedPod&) { return true; });
  queue.add(pod_of("new"), at(10), at(10));
  CHECK(pop(queue, at(10)) == "new");
  CHECK(pop(queue, at(10)) == "failed");
}

TEST_CASE_METHOD(SchedulerFixture, "scheduler: a repeated failure is a series", "[controllers]") {
  const std::string failure = "FailedScheduling web: no nodes available to schedule pods";
  add_pod("web");
  run();
  CHECK(events() == std::vector<std::string>{failure});
  run(Duration::from_seconds(5));
  CHECK(events() == std::vector<std::string>{failure, failure});
  run(Duration::from_seconds(5));
  CHECK(events() == std::vector<std::string>{failure, failure});
  const std::string both = names(kEvents, "default");
  const std::string name = both.substr(0, both.find(' '));  // the later one
  CHECK(stored(kEvents, "default", name, "series.count") == "2");
  CHECK(stored(kEvents, "default", name, "action") == "\"Scheduling\"");
  CHECK(stored(kEvents, "default", name, "reportingComponent") == "\"default-scheduler\"");
  CHECK(stored(kEvents, "default", name, "source") == "{}");
  CHECK(stored(kEvents, "default", name, "count").empty());
}

TEST_CASE_METHOD(SchedulerFixture, "scheduler: pods that go are left alone", "[controllers]") {
  put_node("a");
  add_pod("web", "", R"("deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":["a/b"])");
  put(kPods, "default",
      R"({"metadata":{"name":"going","uid":"u","deletionTimestamp":"2026-01-01T00:00:00Z"},"spec":{"schedulerName":"default-scheduler","containers":[]}})");
  run();
  CHECK(place("going") == "()");
  CHECK(events() == std::vector<std::string>{
                        "FailedScheduling going: skip schedule deleting pod: default/going",
                        "Scheduled web: Successfully assigned default/web to a"});
}

}  // namespace tabernetes::controllers
