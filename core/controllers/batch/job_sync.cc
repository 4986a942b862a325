#include "controllers/batch/job_sync.h"

#include <algorithm>

#include "base/time/rfc3339.h"
#include "controllers/batch/job_policies.h"
#include "controllers/shared/event_recorder.h"
#include "controllers/shared/objects.h"
#include "controllers/shared/pod_control.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kJobSource = "job-controller";
// How many pods are counted at most by one write of the status.
constexpr std::size_t kMostUncounted = 500;
constexpr Duration kAfterDeletion = Duration::from_milliseconds(50);
constexpr std::size_t kLongestPodPrefix = 58;
constexpr std::string_view kIndexVariable = "JOB_COMPLETION_INDEX";
constexpr std::string_view kFailureCount = "batch.kubernetes.io/job-index-failure-count";
constexpr std::string_view kIgnoredCount = "batch.kubernetes.io/job-index-ignored-failure-count";

bool exists(const Result<void>& result) { return !result && result.error().code != 404; }

bool condition_is(const Value& status, std::string_view type) {
  const Value* condition = condition_in(status, type);
  return condition != nullptr && condition->string_at("status") == "True";
}

// Gives each container its index in the environment, unless it has a variable of that name.
void add_index_variable(Value& spec, json::Arena& arena) {
  for (const std::string_view list : {"initContainers", "containers"}) {
    for (Value& container : items_in(spec, list)) {
      const json::Range<Value> given = items_in(container, "env");
      if (std::any_of(given.begin(), given.end(), [](const Value& variable) {
            return variable.string_at("name") == kIndexVariable;
          })) {
        continue;
      }
      Value env = Value::array(arena);
      for (const Value& variable : given) env.push_back(arena, variable);
      const std::string path = "metadata.labels['" + std::string(kCompletionIndex) + "']";
      env.push_back(
          arena,
          object_of({{"name", Value::string(kIndexVariable)},
                     {"valueFrom",
                      object_of({{"fieldRef", object_of({{"apiVersion", Value::string("v1")},
                                                         {"fieldPath", text_value(path, arena)}},
                                                        arena)}},
                                arena)}},
                    arena));
      container.set(arena, "env", env);
    }
  }
}

}  // namespace

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

// --- Pods

Result<void> JobSync::delete_active_pods() {
  Result<void> result;
  for (const JobPod& pod : pods_) {
    if (!pod.summary->active()) continue;
    auto deleted = delete_pod(cluster_, owner_, pod.summary->name);
    if (exists(deleted)) {
      if (result) result = std::move(deleted);
      continue;
    }
    deleted_ = true;
    --active_;
    ++terminating_;
    if (pod.summary->ready) --ready_;
  }
  // The Job ends when none is left.
  if (active_ != 0) finish_.reset();
  return result;
}

Result<void> JobSync::delete_pods(const Informers::Pods& pods) {
  Result<void> result;
  for (const PodSummary* summary : pods) {
    const auto pod = std::find_if(pods_.begin(), pods_.end(), [&](const JobPod& candidate) {
      return candidate.summary == summary;
    });
    auto untracked = untrack(*pod);
    auto deleted = untracked ? delete_pod(cluster_, owner_, summary->name) : std::move(untracked);
    if (exists(deleted)) {
      if (result) result = std::move(deleted);
      continue;
    }
    --active_;
    ++terminating_;
    if (summary->ready) --ready_;
  }
  return result;
}

std::int64_t JobSync::wanted_pods() const {
  const std::int64_t parallelism = number_at(job_, {"spec", "parallelism"});
  if (!has(job_, {"spec", "completions"})) return succeeded_ > 0 ? active_ : parallelism;
  return std::clamp<std::int64_t>(completions_of(job_) - succeeded_, 0, parallelism);
}

Result<void> JobSync::manage_pods() {
  if (is_suspended()) {
    return delete_pods(surplus_pods(job_, pods_, active_, cluster_.now));
  }
  const std::int64_t wanted = wanted_pods();
  Informers::Pods surplus =
      surplus_pods(job_, pods_, std::max<std::int64_t>(0, active_ - wanted), cluster_.now);
  if (!surplus.empty()) {
    if (surplus.size() > static_cast<std::size_t>(kBurstReplicas)) surplus.resize(kBurstReplicas);
    return delete_pods(surplus);
  }
  const std::int64_t leaving = replaces_only_failed_pods(job_) ? terminating_ : 0;
  const std::int64_t missing = wanted - leaving - active_;
  return missing > 0 ? create_pods(std::min(missing, kBurstReplicas)) : Result<void>();
}

// While the back-off delays new pods, upstream counts no pod as active. The API refuses such a
// status as long as some are ready: what has failed meanwhile is counted when the back-off is over.
void JobSync::count_none_active() { active_ = 0; }

Result<void> JobSync::create_pods(std::int64_t count) {
  if (!has_backoff_per_index(job_)) {
    const Duration wait = new_backoff_.remaining(cluster_.now);
    if (wait.nanoseconds > 0) {
      look_again(cluster_.now + (wait < kJobBatch ? kJobBatch : wait));
      count_none_active();
      return {};
    }
  }
  std::vector<int> indexes;
  if (is_indexed(job_)) {
    IndexSet taken = succeeded_indexes_;
    taken.merge(failed_indexes_);
    for (const JobPod& pod : pods_) {
      if (pod.index == kNoIndex) continue;
      const bool leaving = replaces_only_failed_pods(job_) && pod.summary->terminating();
      if (pod.summary->active() || leaving) taken.add(pod.index);
    }
    std::optional<Duration> shortest;
    for (const int index : taken.missing(static_cast<int>(count), completions_of(job_))) {
      const auto failed = to_replace_.find(index);
      Duration wait;
      if (failed != to_replace_.end()) {
        const Value& pod = failed->second->object;
        wait = remaining_backoff(index_failures(pod).all() + 1, finish_time(pod), cluster_.now);
      }
      if (wait.nanoseconds == 0) {
        indexes.push_back(index);
      } else if (!shortest || wait < *shortest) {
        shortest = wait;
      }
    }
    if (indexes.empty() && shortest) {
      look_again(cluster_.now + (*shortest < kJobBatch ? kJobBatch : *shortest));
      count_none_active();
      return {};
    }
    count = static_cast<std::int64_t>(indexes.size());
  }
  std::size_t number = 0;
  return slow_start_batch(count, [&]() -> Result<void> {
    const int index = indexes.empty() ? kNoIndex : indexes[number++];
    auto created = create_pod(cluster_, owner_, new_pod(index));
    if (!created && !is_namespace_terminating(created.error())) return created;
    ++active_;
    return {};
  });
}

Value JobSync::new_pod(int index) const {
  Value pod_template = job_.at({"spec", "template"})->clone(arena_);
  Value& metadata = object_or_new(pod_template, "metadata", arena_);
  Value finalizers = Value::array(arena_);
  for (const Value& finalizer : items_in(metadata, "finalizers")) {
    if (finalizer.as_string() != kJobTracking) finalizers.push_back(arena_, finalizer);
  }
  finalizers.push_back(arena_, Value::string(kJobTracking));
  metadata.set(arena_, "finalizers", finalizers);
  if (index == kNoIndex) return pod_from_template(owner_, pod_template, arena_);

  const Value number = text_value(std::to_string(index), arena_);
  object_or_new(metadata, "labels", arena_).set(arena_, kCompletionIndex, number);
  Value& annotations = object_or_new(metadata, "annotations", arena_);
  annotations.set(arena_, kCompletionIndex, number);
  if (has_backoff_per_index(job_)) {
    const auto failed = to_replace_.find(index);
    IndexFailures failures;
    if (failed != to_replace_.end()) failures = failures_after(failed->second->object, job_);
    annotations.set(arena_, kFailureCount, text_value(std::to_string(failures.counted), arena_));
    if (failures.ignored > 0) {
      annotations.set(arena_, kIgnoredCount, text_value(std::to_string(failures.ignored), arena_));
    }
  }
  const std::string suffix = "-" + std::to_string(index);
  Value& spec = object_or_new(pod_template, "spec", arena_);
  spec.set(arena_, "hostname", text_value(std::string(owner_.name()) + suffix, arena_));
  add_index_variable(spec, arena_);
  Value pod = pod_from_template(owner_, pod_template, arena_);
  std::string prefix(owner_.name());
  if (prefix.size() + suffix.size() + 1 > kLongestPodPrefix) {
    prefix.resize(kLongestPodPrefix - suffix.size() - 1);
  }
  pod.find("metadata")->set(arena_, "generateName", text_value(prefix + suffix + "-", arena_));
  return pod;
}

void JobSync::note_suspension() {
  if (is_suspended()) {
    if (!set_condition("Suspended", "True", "JobSuspended", "Job suspended")) return;
    tell("Normal", "Suspended", "Job suspended");
    status_.erase("startTime");
  } else if (set_condition("Suspended", "False", "JobResumed", "Job resumed")) {
    tell("Normal", "Resumed", "Job resumed");
    status_.set(arena_, "startTime", time_value(cluster_.now, arena_));
  }
}

// --- The status

bool JobSync::is_known(std::string_view list, std::string_view uid) const {
  const json::Range<Value> known = items_at(status_, {"uncountedTerminatedPods", list});
  return std::any_of(known.begin(), known.end(),
                     [&](const Value& item) { return item.as_string() == uid; });
}

void JobSync::add_uncounted(std::string_view list, std::string_view uid) {
  Value& uncounted = *status_.find("uncountedTerminatedPods");
  Value uids = Value::array(arena_);
  for (const Value& known : items_in(uncounted, list)) uids.push_back(arena_, known);
  uids.push_back(arena_, text_value(uid, arena_));
  uncounted.set(arena_, list, uids);
}

bool JobSync::set_condition(std::string_view type, std::string_view status, std::string_view reason,
                            std::string_view message) {
  const Value time = time_value(cluster_.now, arena_);
  const Value condition = object_of({{"type", Value::string(type)},
                                     {"status", Value::string(status)},
                                     {"lastProbeTime", time},
                                     {"lastTransitionTime", time},
                                     {"reason", text_value(reason, arena_)},
                                     {"message", text_value(message, arena_)}},
                                    arena_);
  for (Value& known : items_in(status_, "conditions")) {
    if (known.string_at("type") != type) continue;
    if (known.string_at("status") == status && known.string_at("reason") == reason &&
        known.string_at("message") == message) {
      return false;
    }
    known = condition;
    return true;
  }
  if (status == "False") return false;
  Value conditions = Value::array(arena_);
  for (const Value& known : items_in(status_, "conditions")) conditions.push_back(arena_, known);
  conditions.push_back(arena_, condition);
  status_.set(arena_, "conditions", conditions);
  return true;
}

void JobSync::append_condition(const Finish& finish) {
  (void)set_condition(finish.type, "True", finish.reason, finish.message);
}

Result<void> JobSync::write_status() {
  auto written = controllers::update_status(cluster_, owner_.ref(), [&](Value& object) {
    object.set(arena_, "status", status_.clone(arena_));
  });
  if (!written) return std::move(written).failure();
  return {};
}

void JobSync::tell(std::string_view type, std::string_view reason, std::string_view message) {
  record_event(cluster_, owner_.type, owner_.object, {kJobSource, type, reason, message});
}

bool JobSync::may_untrack(const JobPod& pod) const {
  if (owner_.terminating() || finish_ || pod.summary->phase == PodPhase::kSucceeded) return true;
  if (!pod.is_failed) return false;
  const auto waiting = to_replace_.find(pod.index);
  return waiting == to_replace_.end() || waiting->second->summary != pod.summary;
}

void JobSync::note_end(const JobPod& pod, std::vector<int>& new_indexes) {
  const std::string& uid = pod.summary->uid;
  const bool known_failed = is_known("failed", uid);
  const bool has_index = pod.index != kNoIndex && pod.index < completions_of(job_);
  if (pod.summary->phase == PodPhase::kSucceeded && !known_failed) {
    if (is_indexed(job_)) {
      if (!has_index || known_succeeded_.has(pod.index)) return;
      new_indexes.push_back(pod.index);
      return;
    }
    if (is_known("succeeded", uid)) return;
    add_uncounted("succeeded", uid);
    return;
  }
  // Pods that were deleted because the Job has succeeded have not failed.
  if (condition_is(status_, "SuccessCriteriaMet") && pod.summary->phase != PodPhase::kFailed)
    return;
  const bool failing = finish_ && finish_->type != "SuccessCriteriaMet";
  if (!pod.is_failed && !failing) return;
  if (known_failed || (is_indexed(job_) && !has_index)) return;
  if (!judge_failure(job_, pod.object).is_counted) return;
  add_uncounted("failed", uid);
}

void JobSync::note_indexes(const std::vector<int>& new_indexes) {
  for (const int index : new_indexes) succeeded_indexes_.add(index);
  const std::string completed = succeeded_indexes_.to_string();
  if (completed.empty()) {
    status_.erase("completedIndexes");
  } else {
    status_.set(arena_, "completedIndexes", text_value(completed, arena_));
  }
  set_count(status_, "succeeded", succeeded_indexes_.total(), arena_);
  if (!has_backoff_per_index(job_)) return;
  status_.set(arena_, "failedIndexes", text_value(failed_indexes_.to_string(), arena_));
}

// Counts pods of uncountedTerminatedPods that no longer have the finalizer. Returns whether there
// were any.
bool JobSync::count_untracked() {
  bool counted = false;
  Value& uncounted = *status_.find("uncountedTerminatedPods");
  for (const std::string_view list : {"succeeded", "failed"}) {
    Value left = Value::array(arena_);
    std::int64_t done = 0;
    for (const Value& uid : items_in(uncounted, list)) {
      if (tracked_.contains(uid.as_string())) {
        left.push_back(arena_, uid);
      } else {
        ++done;
      }
    }
    if (done == 0) continue;
    counted = true;
    set_count(status_, list, number_at(status_, {list}) + done, arena_);
    uncounted.erase(list);
    if (left.size() > 0) uncounted.set(arena_, list, left);
  }
  return counted;
}

Result<void> JobSync::untrack(const JobPod& pod) {
  if (!pod.is_tracked) return {};
  auto updated = controllers::update(
      cluster_, {&type_of(cluster_.registry, kPods), pod.summary->ns, pod.summary->name},
      [&](Value& object) {
        Value& metadata = *object.find("metadata");
        Value left = Value::array(arena_);
        for (const Value& finalizer : items_in(metadata, "finalizers")) {
          if (finalizer.as_string() != kJobTracking) left.push_back(arena_, finalizer);
        }
        metadata.erase("finalizers");
        if (left.size() > 0) metadata.set(arena_, "finalizers", left);
      });
  if (!updated && updated.error().code != 404) return std::move(updated).failure();
  return {};
}

// Counts the pods that ended, in the order that survives a restart at any point: first their uids
// are written, then they lose the finalizer, then they are counted.
Result<void> JobSync::track() {
  for (const JobPod& pod : pods_) {
    if (pod.is_tracked) tracked_.emplace(pod.summary->uid, true);
  }
  if (is_indexed(job_)) {
    std::stable_sort(pods_.begin(), pods_.end(),
                     [](const JobPod& a, const JobPod& b) { return a.index < b.index; });
  }
  (void)count_untracked();
  bool full = false;
  std::vector<const JobPod*> ended;
  std::vector<int> new_indexes;
  for (const JobPod& pod : pods_) {
    if (!pod.is_tracked || !may_untrack(pod)) continue;
    ended.push_back(&pod);
    note_end(pod, new_indexes);
    const std::size_t uncounted =
        items_at(status_, {"uncountedTerminatedPods", "succeeded"}).size() +
        items_at(status_, {"uncountedTerminatedPods", "failed"}).size() + new_indexes.size();
    full = uncounted >= kMostUncounted;
    if (full) break;
  }
  if (is_indexed(job_)) note_indexes(new_indexes);
  if (finish_ && finish_->type == "FailureTarget") {
    append_condition(*finish_);
    finish_->type = "Failed";
  } else if (finish_ && finish_->type == "SuccessCriteriaMet") {
    if (!condition_is(status_, "SuccessCriteriaMet")) append_condition(*finish_);
    finish_->type = "Complete";
  }
  TAB_CHECK(write_status());
  backoff_ = new_backoff_;
  if (deleted_) {
    // The nodes hear of the deletion first.
    look_again(cluster_.now + kAfterDeletion);
    return {};
  }

  Result<void> untracked;
  for (const JobPod* pod : ended) {
    auto done = untrack(*pod);
    if (done) {
      tracked_.erase(pod->summary->uid);
    } else if (untracked) {
      untracked = std::move(done);
    }
  }
  const bool counted = count_untracked();
  if (!untracked) {
    if (counted) TAB_CHECK(write_status());
    return untracked;
  }
  const bool finished = !full && finish_if_counted();
  if (!counted && !finished) return {};
  TAB_CHECK(write_status());
  if (finished) tell_finish();
  return {};
}

bool JobSync::finish_if_counted() {
  if (!finish_ || terminating_ > 0) return false;
  for (const std::string_view list : {"succeeded", "failed"}) {
    if (!items_at(status_, {"uncountedTerminatedPods", list}).empty()) return false;
  }
  append_condition(*finish_);
  if (finish_->type == "Complete") {
    status_.set(arena_, "completionTime", time_value(cluster_.now, arena_));
  }
  return true;
}

void JobSync::tell_finish() {
  if (finish_->type != "Complete") {
    tell("Warning", finish_->reason, finish_->message);
    return;
  }
  if (has(job_, {"spec", "completions"}) &&
      number_at(status_, {"succeeded"}) > completions_of(job_)) {
    tell("Warning", "TooManySucceededPods",
         "Too many succeeded pods running after completion count reached");
  }
  tell("Normal", "Completed", "Job completed");
}

}  // namespace tabernetes::controllers
