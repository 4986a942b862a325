#include "controllers/batch/job_sync.h"

#include <algorithm>

#include "controllers/batch/job_conditions.h"
#include "controllers/batch/job_policies.h"
#include "controllers/shared/objects.h"
#include "json/access.h"

namespace tabernetes::controllers {

using json::Value;

JobSync::JobSync(const ReconcileContext& cluster, const Value& job, const Informers::Pods& pods,
                 JobBackoff& backoff)
    : cluster_(cluster),
      arena_(cluster.arena),
      job_(job.shallow_copy(cluster.arena)),
      status_([&]() -> Value& {
        const Value* status = job.find("status");
        job_.set(arena_, "status",
                 status == nullptr ? Value::object(arena_) : status->clone(arena_));
        return *job_.find("status");
      }()),
      owner_{type_of(cluster.registry, kJobs), job_, kJobSource},
      pods_(read_job_pods(pods, job, type_of(cluster.registry, kPods), cluster.arena)),
      backoff_(backoff) {}

bool JobSync::is_suspended() const { return bool_at(job_, {"spec", "suspend"}); }

void JobSync::look_again(Time time) {
  if (!next_ || time < *next_) next_ = time;
}

Result<void> JobSync::run() {
  if (status_.find("uncountedTerminatedPods") == nullptr) {
    status_.set(arena_, "uncountedTerminatedPods", Value::object(arena_));
  }
  count_pods();
  if (status_.find("startTime") == nullptr && !is_suspended()) {
    status_.set(arena_, "startTime", time_value(cluster_.now, arena_));
  }
  find_finish();
  Result<void> managed;
  if (finish_) {
    managed = delete_active_pods();
  } else {
    const bool manages = !owner_.terminating();
    if (manages) managed = manage_pods();
    const bool complete = has(job_, {"spec", "completions"})
                              ? succeeded_ >= completions_of(job_) && active_ == 0
                              : succeeded_ > 0 && active_ == 0;
    if (complete) {
      finish_ = {"SuccessCriteriaMet", "CompletionsReached",
                 "Reached expected number of succeeded pods"};
    } else if (manages) {
      note_suspension();
    }
  }
  set_count(status_, "active", active_, arena_);
  status_.set(arena_, "ready", Value::integer(ready_));
  status_.set(arena_, "terminating", Value::integer(terminating_));
  TAB_CHECK(track());
  return managed;
}

void JobSync::count_pods() {
  std::vector<const Value*> ended_well, ended_badly;
  std::int64_t counted_failures = 0;
  for (const JobPod& pod : pods_) {
    if (pod.summary->active()) {
      ++active_;
      if (pod.summary->ready) ++ready_;
    }
    if (pod.summary->terminating()) ++terminating_;
    if (!pod.is_tracked) continue;
    if (is_indexed(job_) && (pod.index == kNoIndex || pod.index >= completions_of(job_))) continue;
    if (pod.summary->phase == PodPhase::kSucceeded && !is_known("succeeded", pod.summary->uid)) {
      ended_well.push_back(&pod.object);
    }
    if (pod.is_failed && !is_known("failed", pod.summary->uid)) {
      ended_badly.push_back(&pod.object);
      if (judge_failure(job_, pod.object).is_counted) ++counted_failures;
    }
  }
  const auto uncounted = [&](std::string_view list) {
    return std::int64_t{items_at(status_, {"uncountedTerminatedPods", list}).size()};
  };
  succeeded_ = number_at(status_, {"succeeded"}) + uncounted("succeeded") +
               static_cast<std::int64_t>(ended_well.size());
  failed_ = number_at(status_, {"failed"}) + uncounted("failed") + counted_failures;
  new_backoff_ = backoff_.after(ended_well, ended_badly);
}

void JobSync::find_finish() {
  if (const Value* met = condition_in(status_, "SuccessCriteriaMet");
      condition_is(status_, "SuccessCriteriaMet")) {
    finish_ = {"SuccessCriteriaMet", met->string_at("reason"),
               std::string(met->string_at("message"))};
  } else if (const Value* target = condition_in(status_, "FailureTarget");
             condition_is(status_, "FailureTarget")) {
    finish_ = {"Failed", target->string_at("reason"), std::string(target->string_at("message"))};
  } else if (has(job_, {"spec", "podFailurePolicy"})) {
    for (const JobPod& pod : pods_) {
      if (!pod.is_failed) continue;
      const PodFailure failure = judge_failure(job_, pod.object);
      if (failure.fails_job.empty()) continue;
      finish_ = {"FailureTarget", "PodFailurePolicy", failure.fails_job};
      break;
    }
  }
  if (!finish_) {
    if (failed_ > number_at(job_, {"spec", "backoffLimit"}) || is_past_restart_limit()) {
      finish_ = {"FailureTarget", "BackoffLimitExceeded",
                 "Job has reached the specified backoff limit"};
    } else if (is_past_deadline()) {
      finish_ = {"FailureTarget", "DeadlineExceeded",
                 "Job was active longer than specified deadline"};
    }
  }
  if (is_indexed(job_)) find_finish_of_indexes();
}

void JobSync::find_finish_of_indexes() {
  const int completions = completions_of(job_);
  known_succeeded_ = IndexSet::parse(text_at(status_, {"completedIndexes"}), completions);
  succeeded_indexes_ = succeeded_indexes(job_, pods_, known_succeeded_);
  succeeded_ = succeeded_indexes_.total();
  if (has_backoff_per_index(job_)) {
    failed_indexes_ = failed_indexes(job_, pods_);
    const int failed = failed_indexes_.total();
    const Value* most = job_.at({"spec", "maxFailedIndexes"});
    if (!finish_ && most != nullptr && most->is_int() && failed > most->as_int()) {
      finish_ = {"FailureTarget", "MaxFailedIndexesExceeded",
                 "Job has exceeded the specified maximal number of failed indexes"};
    } else if (!finish_ && failed > 0 && failed + succeeded_indexes_.total() >= completions) {
      finish_ = {"FailureTarget", "FailedIndexes", "Job has failed indexes"};
    }
    to_replace_ = pods_to_replace(job_, pods_, succeeded_indexes_, failed_indexes_);
  }
  if (finish_) return;
  std::string met = met_success_rule(job_, succeeded_indexes_);
  if (!met.empty()) finish_ = {"SuccessCriteriaMet", "SuccessPolicy", std::move(met)};
}

bool JobSync::is_past_deadline() {
  const Value* seconds = job_.at({"spec", "activeDeadlineSeconds"});
  const auto started = time_at(status_, {"startTime"});
  if (seconds == nullptr || !seconds->is_int() || !started || is_suspended()) return false;
  // Longer than all of time is no deadline.
  if (seconds->as_int() > (std::int64_t{1} << 32)) return false;
  const Time deadline = *started + Duration::from_seconds(seconds->as_int());
  if (deadline <= cluster_.now) return true;
  look_again(deadline);
  return false;
}

// Containers that restart in place count instead of pods.
bool JobSync::is_past_restart_limit() const {
  if (text_at(job_, {"spec", "template", "spec", "restartPolicy"}) != "OnFailure") return false;
  std::int64_t restarts = 0;
  for (const JobPod& pod : pods_) {
    if (pod.summary->phase != PodPhase::kRunning && pod.summary->phase != PodPhase::kPending) {
      continue;
    }
    for (const std::string_view list : {"initContainerStatuses", "containerStatuses"}) {
      for (const Value& container : items_at(pod.object, {"status", list})) {
        restarts += number_at(container, {"restartCount"});
      }
    }
  }
  const std::int64_t limit = number_at(job_, {"spec", "backoffLimit"});
  return limit == 0 ? restarts > 0 : restarts >= limit;
}

}  // namespace tabernetes::controllers
