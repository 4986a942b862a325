// What a Job makes of a failed pod and of the indexes that succeeded. Source: upstream 1.36
// pkg/controller/job/{pod_failure_policy,success_policy}.go.
#pragma once

#include <string>

#include "controllers/batch/index_set.h"
#include "json/value.h"

namespace tabernetes::controllers {

struct PodFailure {
  std::string fails_job;     // the message, if the pod fails the whole Job
  bool is_counted = true;    // towards the backoff limit
  bool fails_index = false;  // no pod follows for its index
};
// Judges a failed pod by the first rule of the Job's podFailurePolicy that matches.
PodFailure judge_failure(const json::Value& job, const json::Value& pod);

// Returns "Matched rules at index 0" of the first rule of the successPolicy that is met, or an
// empty text.
std::string met_success_rule(const json::Value& job, const IndexSet& succeeded);

// Returns whether pods are replaced only when they have failed, not while they are terminating.
bool replaces_only_failed_pods(const json::Value& job);
// Returns whether the pod counts as failed.
bool is_pod_failed(const json::Value& pod, const json::Value& job);

}  // namespace tabernetes::controllers
