// The pods of a Job as one reconciliation sees them. Source: upstream 1.36
// pkg/controller/job/{job_controller,indexed_job_utils}.go.
#pragma once

#include <map>
#include <vector>

#include "controllers/batch/index_set.h"
#include "controllers/informers/informers.h"
#include "json/value.h"

namespace tabernetes::controllers {

inline constexpr std::string_view kJobTracking = "batch.kubernetes.io/job-tracking";
inline constexpr std::string_view kCompletionIndex = "batch.kubernetes.io/job-completion-index";
inline constexpr int kNoIndex = -1;

struct JobPod {
  const PodSummary* summary;
  json::Value object;
  int index = kNoIndex;     // of an indexed Job
  bool is_tracked = false;  // has the finalizer, so it is not counted yet
  bool is_failed = false;   // counts as failed
};
using JobPods = std::vector<JobPod>;

// Reads pods of the Job. The objects live as long as the arena and the informers' pods.
JobPods read_job_pods(const Informers::Pods& pods, const json::Value& job,
                      const registry::ResourceType& type, json::Arena& arena);

// Returns whether the object has the finalizer of Jobs' pods.
bool is_tracked_by_job(const json::Value& pod);

bool is_indexed(const json::Value& job);
bool has_backoff_per_index(const json::Value& job);
// Returns spec.completions; 0 if there are none.
int completions_of(const json::Value& job);

// How often pods of an index failed before this pod: as counted, and with those that the failure
// policy ignores.
struct IndexFailures {
  int counted = 0, ignored = 0;
  int all() const { return counted + ignored; }
};
IndexFailures index_failures(const json::Value& pod);
// Returns those of the pod that replaces `failed`.
IndexFailures failures_after(const json::Value& failed, const json::Value& job);

// Returns the succeeded indexes: those known and those of tracked pods.
IndexSet succeeded_indexes(const json::Value& job, const JobPods& pods, const IndexSet& known);
// Returns the indexes that failed for good.
IndexSet failed_indexes(const json::Value& job, const JobPods& pods);

// Returns the last failed pod of each index that waits for another pod.
std::map<int, const JobPod*> pods_to_replace(const json::Value& job, const JobPods& pods,
                                             const IndexSet& succeeded, const IndexSet& failed);

// Returns which of the active pods to delete so that at least `count` go: pods of indexes that
// there should not be, or of which there are two, always.
Informers::Pods surplus_pods(const json::Value& job, const JobPods& pods, std::int64_t count,
                             Time now);

}  // namespace tabernetes::controllers
