#include "controllers/batch/job_pods.h"

#include <algorithm>
#include <charconv>

#include "controllers/batch/job_backoff.h"
#include "controllers/batch/job_policies.h"
#include "controllers/shared/active_pods.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "registry/objects/object_record.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kIndexFailureCount = "batch.kubernetes.io/job-index-failure-count";
constexpr std::string_view kIndexIgnoredCount =
    "batch.kubernetes.io/job-index-ignored-failure-count";

// Returns the number in an annotation; `unset` if there is none or it is negative.
int number_in_annotation(const Value& pod, std::string_view name, int unset) {
  const std::string_view text = text_at(pod, {"metadata", "annotations", name});
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || number < 0) {
    return unset;
  }
  return number;
}

bool is_index_failed(const Value& job, const JobPod& pod) {
  if (!pod.is_failed) return false;
  const PodFailure failure = judge_failure(job, pod.object);
  if (failure.fails_index) return true;
  return failure.is_counted &&
         index_failures(pod.object).counted >= number_at(job, {"spec", "backoffLimitPerIndex"});
}

}  // namespace

JobPods read_job_pods(const Informers::Pods& pods, const Value& job,
                      const registry::ResourceType& type, json::Arena& arena) {
  JobPods read;
  for (const PodSummary* summary : pods) {
    JobPod pod{summary, registry::read_object(type, *summary->record, arena)};
    pod.index = number_in_annotation(pod.object, kCompletionIndex, kNoIndex);
    pod.is_tracked = is_tracked_by_job(pod.object);
    pod.is_failed = is_pod_failed(pod.object, job);
    read.push_back(pod);
  }
  return read;
}

bool is_tracked_by_job(const Value& pod) {
  for (const Value& finalizer : items_at(pod, {"metadata", "finalizers"})) {
    if (finalizer.as_string() == kJobTracking) return true;
  }
  return false;
}

bool is_indexed(const Value& job) { return text_at(job, {"spec", "completionMode"}) == "Indexed"; }

bool has_backoff_per_index(const Value& job) { return has(job, {"spec", "backoffLimitPerIndex"}); }

int completions_of(const Value& job) {
  return static_cast<int>(number_at(job, {"spec", "completions"}));
}

IndexFailures index_failures(const Value& pod) {
  return {number_in_annotation(pod, kIndexFailureCount, 0),
          number_in_annotation(pod, kIndexIgnoredCount, 0)};
}

IndexFailures failures_after(const Value& failed, const Value& job) {
  IndexFailures failures = index_failures(failed);
  ++(judge_failure(job, failed).is_counted ? failures.counted : failures.ignored);
  return failures;
}

IndexSet succeeded_indexes(const Value& job, const JobPods& pods, const IndexSet& known) {
  IndexSet succeeded = known;
  for (const JobPod& pod : pods) {
    if (pod.summary->phase == PodPhase::kSucceeded && pod.is_tracked && pod.index != kNoIndex &&
        pod.index < completions_of(job)) {
      succeeded.add(pod.index);
    }
  }
  return succeeded;
}

IndexSet failed_indexes(const Value& job, const JobPods& pods) {
  IndexSet failed = IndexSet::parse(text_at(job, {"status", "failedIndexes"}), completions_of(job));
  for (const JobPod& pod : pods) {
    if (pod.index != kNoIndex && pod.index < completions_of(job) && pod.is_tracked &&
        is_index_failed(job, pod)) {
      failed.add(pod.index);
    }
  }
  return failed;
}

std::map<int, const JobPod*> pods_to_replace(const Value& job, const JobPods& pods,
                                             const IndexSet& succeeded, const IndexSet& failed) {
  IndexSet taken = succeeded;
  taken.merge(failed);
  for (const JobPod& pod : pods) {
    if (pod.summary->active() && pod.index != kNoIndex) taken.add(pod.index);
  }
  std::map<int, const JobPod*> last;
  for (const JobPod& pod : pods) {
    if (!pod.is_tracked || !pod.is_failed || pod.index == kNoIndex ||
        pod.index >= completions_of(job) || taken.has(pod.index)) {
      continue;
    }
    const JobPod*& known = last[pod.index];
    if (known == nullptr ||
        (index_failures(known->object).all() <= index_failures(pod.object).all() &&
         finish_time(known->object) <= finish_time(pod.object))) {
      known = &pod;
    }
  }
  return last;
}

Informers::Pods surplus_pods(const Value& job, const JobPods& pods, std::int64_t count, Time now) {
  Informers::Pods surplus, left;
  std::map<int, Informers::Pods> by_index;
  for (const JobPod& pod : pods) {
    if (!pod.summary->active()) continue;
    if (!is_indexed(job)) {
      left.push_back(pod.summary);
    } else if (pod.index == kNoIndex || pod.index >= completions_of(job)) {
      surplus.push_back(pod.summary);
    } else {
      by_index[pod.index].push_back(pod.summary);
    }
  }
  for (auto& [index, same] : by_index) {
    sort_for_deletion(same, {}, now);
    surplus.insert(surplus.end(), same.begin(), same.end() - 1);
    left.push_back(same.back());
  }
  if (static_cast<std::int64_t>(surplus.size()) < count) {
    sort_for_deletion(left, {}, now);
    const auto more = std::min(left.size(), static_cast<std::size_t>(count) - surplus.size());
    surplus.insert(surplus.end(), left.begin(), left.begin() + static_cast<std::ptrdiff_t>(more));
  }
  return surplus;
}

}  // namespace tabernetes::controllers
