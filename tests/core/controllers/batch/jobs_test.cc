#include <string>

#include "../loop_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kTestedJobs{"batch", "v1", "jobs"};
constexpr LoopFixture::Resource kJobPods{"", "v1", "pods"};
constexpr LoopFixture::Resource kJobEvents{"", "v1", "events"};

// The job `j` in the namespace `default`.
class JobFixture : public LoopFixture {
 public:
  JobFixture() : LoopFixture("job-controller") {}

  // `spec` is JSON without the template.
  void create_job(std::string_view spec, std::string_view policy = "Never") {
    REQUIRE(create(kTestedJobs, "default",
                   R"({"metadata":{"name":"j"},"spec":{)" + std::string(spec) +
                       R"("template":{"spec":{"restartPolicy":")" + std::string(policy) +
                       R"(","containers":[{"name":"c","image":"x"}]}}}})") == "");
    run();
  }
  std::string status() { return stored(kTestedJobs, "default", "j", "status"); }
  std::string at(std::string_view path) { return stored(kTestedJobs, "default", "j", path); }
  // Returns TYPE=REASON of each condition.
  std::string conditions() {
    const json::Value job = registry.find_object(kTestedJobs, "default", "j", arena);
    std::string text;
    for (const json::Value& condition : items_at(job, {"status", "conditions"})) {
      text.append(text.empty() ? "" : " ").append(condition.string_at("type"));
      text.append("=").append(condition.string_at("reason"));
    }
    return text;
  }
  // Returns the names of pods that are not finished, in order.
  std::vector<std::string> active_pods() {
    std::vector<std::string> names;
    registry.each_object(kJobPods, arena, [&](const json::Value& pod) {
      const std::string_view phase = text_at(pod, {"status", "phase"});
      if (phase == "Failed" || phase == "Succeeded" ||
          pod.at({"metadata", "deletionTimestamp"}) != nullptr) {
        return;
      }
      names.emplace_back(text_at(pod, {"metadata", "name"}));
    });
    return names;
  }
  void set_status(const std::string& pod, std::string_view status) {
    json::Value object = registry.find_object(kJobPods, "default", pod, arena);
    const codec::JsonRead read = codec::read_json(arena.copy(status), arena);
    REQUIRE(read.ok());
    object.set(arena, "status", read.value);
    put(kJobPods, "default", tests::json_text(object));
  }
  // Ends the active pods with exit code `code`.
  void end_pods(int code) {
    for (const std::string& pod : active_pods()) {
      set_status(pod,
                 std::string(R"({"phase":")") + (code == 0 ? "Succeeded" : "Failed") +
                     R"(","containerStatuses":[{"name":"c","state":{"terminated":{"exitCode":)" +
                     std::to_string(code) + "}}}]}");
    }
    run();
    run(Duration::from_seconds(2));
  }
  std::vector<std::string> events() {
    std::vector<std::string> texts;
    registry.each_object(kJobEvents, arena, [&](const json::Value& event) {
      const std::string_view reason = event.string_at("reason");
      if (reason.starts_with("Successful")) return;
      texts.push_back(std::string(reason) + ": " + std::string(event.string_at("message")));
    });
    return texts;
  }
};

TEST_CASE("jobs: a pod that ends well completes its job", "[controllers]") {
  JobFixture cluster;
  cluster.create_job("");
  CHECK(cluster.status() == R"({"startTime":"1970-01-01T00:00:02Z","active":1,"terminating":0,)"
                            R"("uncountedTerminatedPods":{},"ready":0})");
  REQUIRE(cluster.active_pods().size() == 1);
  const std::string pod = cluster.active_pods()[0];
  CHECK(pod.starts_with("j-"));
  CHECK(cluster.stored(kJobPods, "default", pod, "metadata.finalizers") ==
        R"(["batch.kubernetes.io/job-tracking"])");
  cluster.end_pods(0);
  CHECK(cluster.conditions() ==
        "SuccessCriteriaMet=CompletionsReached Complete=CompletionsReached");
  CHECK(cluster.at("status.succeeded") == "1");
  CHECK(cluster.at("status.uncountedTerminatedPods") == "{}");
  CHECK(cluster.at("status.completionTime") == R"("1970-01-01T00:00:03Z")");
  CHECK(cluster.stored(kJobPods, "default", pod, "metadata.finalizers") == "");
  CHECK(cluster.events() == std::vector<std::string>{"Completed: Job completed"});
}

TEST_CASE("jobs: pods that fail are replaced after a while, until the limit", "[controllers]") {
  JobFixture cluster;
  cluster.create_job(R"("backoffLimit":1,)");
  cluster.end_pods(1);
  CHECK(cluster.at("status.failed") == "1");
  CHECK(cluster.active_pods().empty());
  cluster.run(Duration::from_seconds(10));
  REQUIRE(cluster.active_pods().size() == 1);
  cluster.end_pods(1);
  CHECK(cluster.conditions() == "FailureTarget=BackoffLimitExceeded Failed=BackoffLimitExceeded");
  CHECK(cluster.at("status.failed") == "2");
  CHECK(cluster.events() ==
        std::vector<std::string>{
            "BackoffLimitExceeded: Job has reached the specified backoff limit"});
}

// While it waits, upstream's controller writes that no pod is active; the API refuses that as long
// as some are ready.
TEST_CASE("jobs: what fails beside ready pods is counted when the back-off is over",
          "[controllers]") {
  JobFixture cluster;
  cluster.create_job(R"("parallelism":2,"completions":2,)");
  const std::vector<std::string> pods = cluster.active_pods();
  REQUIRE(pods.size() == 2);
  for (const std::string& pod : pods) {
    cluster.set_status(pod,
                       R"({"phase":"Running","conditions":[{"type":"Ready","status":"True"}]})");
  }
  cluster.run(Duration::from_seconds(2));
  cluster.run(Duration::from_seconds(2));
  CHECK(cluster.at("status.ready") == "2");
  cluster.set_status(pods[0], R"({"phase":"Failed","containerStatuses":[{"name":"c","state":)"
                              R"({"terminated":{"exitCode":1,)"
                              R"("finishedAt":"1970-01-01T00:00:06Z"}}}]})");
  for (int i = 0; i < 5; ++i) cluster.run();
  CHECK(cluster.at("status.failed") == "");
  CHECK(cluster.at("status.ready") == "2");
  CHECK(cluster.active_pods().size() == 1);
  for (int i = 0; i < 10; ++i) cluster.run();
  CHECK(cluster.at("status.failed") == "1");
  CHECK(cluster.at("status.active") == "2");
  CHECK(cluster.active_pods().size() == 2);
}

TEST_CASE("jobs: an indexed job has a pod for each index", "[controllers]") {
  JobFixture cluster;
  cluster.create_job(R"("completionMode":"Indexed","completions":5,"parallelism":2,)");
  std::vector<std::string> pods = cluster.active_pods();
  REQUIRE(pods.size() == 2);
  CHECK(pods[0].starts_with("j-0-"));
  CHECK(pods[1].starts_with("j-1-"));
  CHECK(cluster.stored(kJobPods, "default", pods[1], "spec.hostname") == R"("j-1")");
  CHECK(cluster.stored(kJobPods, "default", pods[1], "spec.containers.0.env") ==
        R"([{"name":"JOB_COMPLETION_INDEX","valueFrom":{"fieldRef":{"apiVersion":"v1",)"
        R"("fieldPath":"metadata.labels['batch.kubernetes.io/job-completion-index']"}}}])");
  cluster.end_pods(0);
  CHECK(cluster.at("status.completedIndexes") == R"("0,1")");
  pods = cluster.active_pods();
  REQUIRE(pods.size() == 2);
  CHECK(pods[0].starts_with("j-2-"));
  cluster.end_pods(0);
  cluster.end_pods(0);
  CHECK(cluster.at("status.completedIndexes") == R"("0-4")");
  CHECK(cluster.conditions() ==
        "SuccessCriteriaMet=CompletionsReached Complete=CompletionsReached");
}

TEST_CASE("jobs: an index that fails too often fails alone", "[controllers]") {
  JobFixture cluster;
  cluster.create_job(
      R"("completionMode":"Indexed","completions":1,"parallelism":1,"backoffLimitPerIndex":1,)");
  CHECK(cluster.at("status.failedIndexes") == R"("")");
  std::vector<std::string> pods = cluster.active_pods();
  REQUIRE(pods.size() == 1);
  CHECK(cluster.stored(kJobPods, "default", pods[0],
                       "metadata.annotations.batch.kubernetes.io/job-index-failure-count") == "");
  cluster.end_pods(1);
  cluster.run(Duration::from_seconds(10));
  REQUIRE(cluster.active_pods().size() == 1);
  cluster.end_pods(1);
  CHECK(cluster.at("status.failedIndexes") == R"("0")");
  CHECK(cluster.conditions() == "FailureTarget=FailedIndexes Failed=FailedIndexes");
}

TEST_CASE("jobs: rules about failed pods", "[controllers]") {
  struct Case {
    std::string_view action, conditions, failed;
  };
  const Case cases[] = {
      {"FailJob", "FailureTarget=PodFailurePolicy Failed=PodFailurePolicy", "1"},
      {"Ignore", "", ""},
      {"Count", "", "1"},
  };
  for (const Case& c : cases) {
    INFO(c.action);
    JobFixture cluster;
    cluster.create_job(R"("podFailurePolicy":{"rules":[{"action":")" + std::string(c.action) +
                       R"(","onExitCodes":{"operator":"In","values":[42]}}]},)");
    cluster.end_pods(42);
    CHECK(cluster.conditions() == c.conditions);
    CHECK(cluster.at("status.failed") == c.failed);
  }
}

TEST_CASE("jobs: a suspended job has no pods and no start", "[controllers]") {
  JobFixture cluster;
  cluster.create_job(R"("suspend":true,)");
  CHECK(cluster.active_pods().empty());
  CHECK(cluster.conditions() == "Suspended=JobSuspended");
  CHECK(cluster.at("status.startTime") == "");
  json::Value job = cluster.registry.find_object(kTestedJobs, "default", "j", cluster.arena);
  job.find("spec")->set(cluster.arena, "suspend", json::Value::boolean(false));
  REQUIRE(cluster.update(kTestedJobs, "default", tests::json_text(job)) == "");
  cluster.run();
  CHECK(cluster.conditions() == "Suspended=JobResumed");
  CHECK(cluster.active_pods().size() == 1);
  CHECK(cluster.events() ==
        std::vector<std::string>{"Suspended: Job suspended", "Resumed: Job resumed"});
}

TEST_CASE("jobs: a deadline ends a job", "[controllers]") {
  JobFixture cluster;
  cluster.create_job(R"("activeDeadlineSeconds":5,)");
  cluster.run(Duration::from_seconds(4));
  CHECK(cluster.conditions() == "");
  cluster.run(Duration::from_seconds(2));
  CHECK(cluster.conditions() == "FailureTarget=DeadlineExceeded");
}

TEST_CASE("jobs: those that others manage are left alone", "[controllers]") {
  JobFixture cluster;
  cluster.create_job(R"("managedBy":"example.com/other",)");
  CHECK(cluster.active_pods().empty());
  CHECK(cluster.status() == "{}");
}

}  // namespace
}  // namespace tabernetes::controllers
