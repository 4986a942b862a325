#include <algorithm>

#include "controllers/batch/job_policies.h"
#include "controllers/batch/job_sync.h"
#include "controllers/shared/objects.h"
#include "controllers/shared/pod_control.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::size_t kLongestPodPrefix = 58;
constexpr std::string_view kIndexVariable = "JOB_COMPLETION_INDEX";
constexpr std::string_view kFailureCount = "batch.kubernetes.io/job-index-failure-count";
constexpr std::string_view kIgnoredCount = "batch.kubernetes.io/job-index-ignored-failure-count";

bool exists(const Result<void>& result) { return !result && result.error().code != 404; }

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

}  // namespace tabernetes::controllers
