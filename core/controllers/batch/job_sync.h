// One reconciliation of a Job. Source: upstream 1.36 pkg/controller/job/job_controller.go (syncJob,
// manageJob, trackJobStatusAndRemoveFinalizers).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "controllers/batch/index_set.h"
#include "controllers/batch/job_backoff.h"
#include "controllers/batch/job_pods.h"
#include "controllers/loop/control_loop.h"
#include "controllers/shared/controller_ref.h"

namespace tabernetes::controllers {

// Reconciliations that only pods call for are put together for that long.
inline constexpr Duration kJobBatch = Duration::from_seconds(1);

// The source of a Job's events.
inline constexpr std::string_view kJobSource = "job-controller";

class JobSync {
 public:
  // `backoff` is the Job's record, which is brought up to date.
  JobSync(const ReconcileContext& cluster, const json::Value& job, const Informers::Pods& pods,
          JobBackoff& backoff);

  Result<void> run();
  // Returns when to look again even if nothing changes.
  std::optional<Time> next() const { return next_; }

 private:
  struct Finish {
    std::string_view type, reason;  // of the condition
    std::string message;
  };

  bool is_suspended() const;
  void look_again(Time time);

  void count_pods();
  void find_finish();
  void find_finish_of_indexes();
  bool is_past_deadline();
  bool is_past_restart_limit() const;

  Result<void> delete_active_pods();
  Result<void> manage_pods();
  Result<void> delete_pods(const Informers::Pods& pods);
  std::int64_t wanted_pods() const;
  void count_none_active();
  Result<void> create_pods(std::int64_t count);
  json::Value new_pod(int index) const;
  void note_suspension();

  Result<void> track();
  bool may_untrack(const JobPod& pod) const;
  // Notes how a tracked pod ended.
  void note_end(const JobPod& pod, std::vector<int>& new_indexes);
  void note_indexes(const std::vector<int>& new_indexes);
  bool count_untracked();
  Result<void> untrack(const JobPod& pod);
  bool finish_if_counted();
  void tell_finish();

  bool is_known(std::string_view list, std::string_view uid) const;
  void add_uncounted(std::string_view list, std::string_view uid);
  bool set_condition(std::string_view type, std::string_view status, std::string_view reason,
                     std::string_view message);
  void append_condition(const Finish& finish);
  Result<void> write_status();
  void tell(std::string_view type, std::string_view reason, std::string_view message);

  const ReconcileContext& cluster_;
  json::Arena& arena_;
  json::Value job_;
  json::Value& status_;
  Owner owner_;
  JobPods pods_;
  JobBackoff& backoff_;
  JobBackoff new_backoff_;

  std::int64_t active_ = 0, ready_ = 0, terminating_ = 0, succeeded_ = 0, failed_ = 0;
  IndexSet known_succeeded_, succeeded_indexes_, failed_indexes_;
  std::map<int, const JobPod*> to_replace_;
  std::optional<Finish> finish_;
  bool deleted_ = false;                              // active pods, since the Job ends
  std::map<std::string, bool, std::less<>> tracked_;  // uids of pods that still have the finalizer
  std::optional<Time> next_;
};

}  // namespace tabernetes::controllers
