// One reconciliation of a Deployment. Source: upstream 1.36 pkg/controller/deployment: sync.go,
// rolling.go, recreate.go, rollback.go, progress.go.
#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "controllers/apps/deployment_sets.h"
#include "controllers/shared/controller_ref.h"

namespace tabernetes::controllers {

class DeploymentSync {
 public:
  // `sets` are the ReplicaSets that the Deployment controls.
  DeploymentSync(const ReconcileContext& cluster, json::Value deployment,
                 const std::vector<store::RecordPtr>& sets);

  Result<void> run();
  // Returns when its progress must be looked at again, if nothing happens before.
  std::optional<Time> next_check() const { return next_check_; }

 private:
  Owner owner() const;
  ReplicaSetList all_sets() const;
  Result<void> write_status();

  // --- Which sets there are (deployment_sync.cc)
  Result<void> find_sets(bool create_new);
  Result<void> sync_existing_set();
  Result<void> create_new_set();
  // Returns a ReplicaSet of the deployment's template, with no replicas.
  json::Value set_for_template(std::string_view hash) const;
  void tell_failed_creation(std::string_view name, std::string_view why);
  Result<void> tell_creation(const std::string& name, std::int64_t replicas, std::int64_t revision);
  Result<void> meet_existing_name(std::string_view name, Failure failure);
  Result<void> mark_paused();
  bool is_scaling_event() const;
  Result<bool> scale_set(ReplicaSet& set, std::int64_t replicas, bool force = false);
  Result<void> scale();
  Result<void> scale_proportionally();
  Result<void> clean_up();
  Result<void> roll_back();
  Result<void> roll_back_to(const ReplicaSet& set, std::int64_t revision);
  Result<void> clear_rollback();

  // --- From one template to the next (deployment_rollout.cc)
  Result<void> roll();
  Result<bool> scale_new_set();
  Result<bool> scale_down_old_sets();
  Result<std::int64_t> clean_up_unhealthy(ReplicaSetList& older, std::int64_t most);
  Result<std::int64_t> scale_down_available(ReplicaSetList& older);
  Result<void> recreate();
  bool old_pods_run() const;

  // --- Its status (deployment_status.cc)
  json::Value new_status() const;
  json::Value condition(std::string_view type, std::string_view status, std::string_view reason,
                        std::string_view message) const;
  // Sets a condition, unless it has that status and reason already.
  void set_condition(json::Value& status, json::Value condition) const;
  bool is_complete(const json::Value& status) const;
  bool is_progressing(const json::Value& status) const;
  bool has_timed_out(const json::Value& status) const;
  void set_progress(json::Value& status) const;
  void set_replica_failure(json::Value& status) const;
  Result<void> sync_status_only();
  Result<void> sync_rollout_status();
  void plan_next_check(const json::Value& status);

  const ReconcileContext& cluster_;
  json::Arena& arena_;
  const registry::ResourceType& type_;
  const registry::ResourceType& set_type_;
  DeploymentState deployment_;
  std::deque<ReplicaSet> sets_;
  ReplicaSet* new_ = nullptr;
  ReplicaSetList old_;
  std::optional<Time> next_check_;
};

}  // namespace tabernetes::controllers
