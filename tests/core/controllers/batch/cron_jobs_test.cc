#include <algorithm>
#include <string>

#include "../loop_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kTestedCronJobs{"batch", "v1", "cronjobs"};
constexpr LoopFixture::Resource kStartedJobs{"batch", "v1", "jobs"};
constexpr LoopFixture::Resource kCronEvents{"", "v1", "events"};

// The cron job `tick`, which starts at every full minute.
class CronFixture : public LoopFixture {
 public:
  CronFixture() : LoopFixture("cronjob-controller") {}

  // `spec` is JSON without schedule and template.
  void create_tick(std::string_view spec, std::string_view schedule = "* * * * *") {
    REQUIRE(
        create(kTestedCronJobs, "default",
               R"({"metadata":{"name":"tick"},"spec":{"schedule":")" + std::string(schedule) +
                   R"(",)" + std::string(spec) +
                   R"("jobTemplate":{"metadata":{"labels":{"a":"b"}},"spec":{"template":{"spec":)"
                   R"({"restartPolicy":"Never","containers":[{"name":"c","image":"x"}]}}}}}})") ==
        "");
    run();
  }
  void run_seconds(int seconds) {
    for (int i = 0; i < seconds; ++i) run();
  }
  void finish(std::string_view job, std::string_view condition) {
    json::Value object = registry.find_object(kStartedJobs, "default", job, arena);
    const codec::JsonRead status = codec::read_json(
        arena.copy(R"({"completionTime":"1970-01-01T00:01:30Z","startTime":"1970-01-01T00:01:00Z",)"
                   R"("conditions":[{"type":")" +
                   std::string(condition) + R"(","status":"True"}]})"),
        arena);
    object.set(arena, "status", status.value);
    put(kStartedJobs, "default", tests::json_text(object));
    run();
  }
  std::string jobs() const { return names(kStartedJobs, "default"); }
  std::string at(std::string_view path) { return stored(kTestedCronJobs, "default", "tick", path); }
  std::vector<std::string> events() {
    std::vector<std::string> texts;
    registry.each_object(kCronEvents, arena, [&](const json::Value& event) {
      texts.push_back(std::string(event.string_at("reason")) + ": " +
                      std::string(event.string_at("message")));
    });
    return texts;
  }
};

TEST_CASE("cron jobs: a job starts when its time has come, and is seen to end", "[controllers]") {
  CronFixture cluster;
  cluster.create_tick("");
  cluster.run_seconds(57);
  CHECK(cluster.jobs() == "");
  cluster.run_seconds(2);
  CHECK(cluster.jobs() == "tick-1");
  CHECK(cluster.stored(kStartedJobs, "default", "tick-1", "metadata.annotations") ==
        R"({"batch.kubernetes.io/cronjob-scheduled-timestamp":"1970-01-01T00:01:00Z"})");
  CHECK(cluster.at("status.lastScheduleTime") == R"("1970-01-01T00:01:00Z")");
  CHECK(cluster.at("status.active.0.name") == R"("tick-1")");
  cluster.finish("tick-1", "Complete");
  CHECK(cluster.at("status") == R"({"lastScheduleTime":"1970-01-01T00:01:00Z",)"
                                R"("lastSuccessfulTime":"1970-01-01T00:01:30Z"})");
  CHECK(cluster.events() == std::vector<std::string>{
                                "SuccessfulCreate: Created job tick-1",
                                "SawCompletedJob: Saw completed job: tick-1, condition: Complete"});
}

TEST_CASE("cron jobs: what happens while the last job runs", "[controllers]") {
  struct Case {
    std::string_view policy, jobs, event;
  };
  const Case cases[] = {
      {"Allow", "tick-1 tick-2", "SuccessfulCreate: Created job tick-2"},
      {"Forbid", "tick-1",
       "JobAlreadyActive: Not starting job because prior execution is running and concurrency "
       "policy is Forbid"},
      {"Replace", "tick-2", "SuccessfulCreate: Created job tick-2"},
  };
  for (const Case& c : cases) {
    INFO(c.policy);
    CronFixture cluster;
    cluster.create_tick(R"("concurrencyPolicy":")" + std::string(c.policy) + R"(",)");
    cluster.run_seconds(121);
    CHECK(cluster.jobs() == c.jobs);
    const std::vector<std::string> events = cluster.events();
    CHECK(std::find(events.begin(), events.end(), c.event) != events.end());
  }
}

TEST_CASE("cron jobs: only some of the finished jobs are kept", "[controllers]") {
  CronFixture cluster;
  cluster.create_tick(R"("successfulJobsHistoryLimit":1,"failedJobsHistoryLimit":0,)");
  cluster.run_seconds(60);
  cluster.finish("tick-1", "Complete");
  cluster.run_seconds(60);
  cluster.finish("tick-2", "Failed");
  CHECK(cluster.jobs() == "tick-1");
  cluster.run_seconds(60);
  cluster.finish("tick-3", "Complete");
  CHECK(cluster.jobs() == "tick-3");
}

TEST_CASE("cron jobs: what was missed is started once, unless it is too late", "[controllers]") {
  CronFixture late;
  late.create_tick("");
  late.run(Duration::from_seconds(600));
  CHECK(late.jobs() == "tick-10");

  CronFixture too_late;
  too_late.create_tick(R"("startingDeadlineSeconds":10,)");
  too_late.run(Duration::from_seconds(600 + 38));
  CHECK(too_late.jobs() == "");
}

TEST_CASE("cron jobs: time zones, and suspension", "[controllers]") {
  CronFixture zoned;
  zoned.create_tick(R"("timeZone":"Asia/Tokyo",)", "0 10 * * *");
  zoned.run(Duration::from_seconds(3601));
  CHECK(zoned.jobs() == "tick-60");
  CHECK(zoned.stored(kStartedJobs, "default", "tick-60", "metadata.annotations") ==
        R"({"batch.kubernetes.io/cronjob-scheduled-timestamp":"1970-01-01T10:00:00+09:00"})");

  CronFixture suspended;
  suspended.create_tick(R"("suspend":true,)");
  suspended.run(Duration::from_seconds(600));
  CHECK(suspended.jobs() == "");
  CHECK(suspended.events().empty());

  CronFixture never;
  never.create_tick("", "0 0 31 2 *");
  CHECK(never.events() ==
        std::vector<std::string>{"InvalidSchedule: invalid schedule: 0 0 31 2 * : time difference "
                                 "between two schedules is less than 1 second"});
}

}  // namespace
}  // namespace tabernetes::controllers
