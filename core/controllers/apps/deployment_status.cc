// The status of a Deployment: counts, conditions, and how it comes along.

#include <algorithm>

#include "base/time/rfc3339.h"
#include "controllers/apps/deployment_sync.h"
#include "json/equality.h"

namespace tabernetes::controllers {

using json::Value;

namespace {

// Returns the number of pods that are being deleted, or nullopt if a set does not tell.
std::optional<std::int64_t> terminating_pods(const ReplicaSetList& sets) {
  std::int64_t sum = 0;
  for (const ReplicaSet* set : sets) {
    if (set == nullptr) continue;
    const Value* count = set->object.at({"status", "terminatingReplicas"});
    if (count != nullptr) {
      sum += count->as_int();
    } else if (set->status("observedGeneration") != 0) {
      return std::nullopt;
    }
  }
  return sum;
}

}  // namespace

Value DeploymentSync::condition(std::string_view type, std::string_view status,
                                std::string_view reason, std::string_view message) const {
  Value made = Value::object(arena_);
  made.append(arena_, "type", Value::string(type));
  made.append(arena_, "status", Value::string(status));
  made.append(arena_, "lastUpdateTime", time_value(cluster_.now, arena_));
  made.append(arena_, "lastTransitionTime", time_value(cluster_.now, arena_));
  made.append(arena_, "reason", Value::string(reason));
  made.append(arena_, "message", Value::string(arena_.copy(message)));
  return made;
}

void DeploymentSync::set_condition(Value& status, Value condition) const {
  const Value* known = condition_in(status, condition.string_at("type"));
  if (known != nullptr && known->string_at("status") == condition.string_at("status")) {
    if (known->string_at("reason") == condition.string_at("reason")) return;
    if (const Value* since = known->find("lastTransitionTime")) {
      condition.set(arena_, "lastTransitionTime", *since);
    }
  }
  move_condition_to_end(status, condition, arena_);
}

Value DeploymentSync::new_status() const {
  const ReplicaSetList all = all_sets();
  const std::int64_t available = sum_of(all, "availableReplicas");
  Value status = Value::object(arena_);
  set_count(status, "observedGeneration", number_at(deployment_.object, {"metadata", "generation"}),
            arena_);
  set_count(status, "replicas", sum_of(all, "replicas"), arena_);
  set_count(status, "updatedReplicas", sum_of({new_}, "replicas"), arena_);
  set_count(status, "readyReplicas", sum_of(all, "readyReplicas"), arena_);
  set_count(status, "availableReplicas", available, arena_);
  set_count(status, "unavailableReplicas",
            std::max<std::int64_t>(0, sum_of_replicas(all) - available), arena_);
  if (const auto terminating = terminating_pods(all)) {
    status.append(arena_, "terminatingReplicas", Value::integer(*terminating));
  }
  if (const Value* old = deployment_.object.find("status")) {
    for (const std::string_view kept : {"conditions", "collisionCount"}) {
      if (const Value* value = old->find(kept)) {
        status.append(arena_, kept, value->clone(arena_));
      }
    }
  }
  const bool enough = available >= deployment_.replicas() - deployment_.max_unavailable();
  set_condition(status, enough ? condition("Available", "True", "MinimumReplicasAvailable",
                                           "Deployment has minimum availability.")
                               : condition("Available", "False", "MinimumReplicasUnavailable",
                                           "Deployment does not have minimum availability."));
  return status;
}

bool DeploymentSync::is_complete(const Value& status) const {
  const std::int64_t wanted = deployment_.replicas();
  return number_at(status, {"updatedReplicas"}) == wanted &&
         number_at(status, {"replicas"}) == wanted &&
         number_at(status, {"availableReplicas"}) == wanted &&
         number_at(status, {"observedGeneration"}) >=
             number_at(deployment_.object, {"metadata", "generation"});
}

bool DeploymentSync::is_progressing(const Value& status) const {
  const auto old = [&](std::string_view count) {
    return number_at(deployment_.object, {"status", count});
  };
  const auto now = [&](std::string_view count) { return number_at(status, {count}); };
  return now("updatedReplicas") > old("updatedReplicas") ||
         now("replicas") - now("updatedReplicas") < old("replicas") - old("updatedReplicas") ||
         now("readyReplicas") > old("readyReplicas") ||
         now("availableReplicas") > old("availableReplicas");
}

bool DeploymentSync::has_timed_out(const Value& status) const {
  const Value* progress = condition_in(status, "Progressing");
  const auto deadline = deployment_.progress_deadline();
  if (progress == nullptr || !deadline) return false;
  const std::string_view reason = progress->string_at("reason");
  if (reason == "NewReplicaSetAvailable") return false;
  if (reason == "ProgressDeadlineExceeded") return true;
  const auto since = parse_rfc3339(progress->string_at("lastUpdateTime"));
  return since && *since + Duration::from_seconds(*deadline) < cluster_.now;
}

void DeploymentSync::set_progress(Value& status) const {
  const Value* known = deployment_.condition("Progressing");
  const bool was_complete =
      known != nullptr && known->string_at("reason") == "NewReplicaSetAvailable" &&
      number_at(status, {"replicas"}) == number_at(status, {"updatedReplicas"});
  if (was_complete) return;
  const std::string subject = new_ == nullptr
                                  ? "Deployment \"" + std::string(deployment_.name()) + "\""
                                  : "ReplicaSet \"" + std::string(new_->name()) + "\"";
  if (is_complete(status)) {
    set_condition(status, condition("Progressing", "True", "NewReplicaSetAvailable",
                                    subject + " has successfully progressed."));
  } else if (is_progressing(status)) {
    Value progress =
        condition("Progressing", "True", "ReplicaSetUpdated", subject + " is progressing.");
    if (known != nullptr && known->string_at("status") == "True") {
      if (const Value* since = known->find("lastTransitionTime")) {
        progress.set(arena_, "lastTransitionTime", *since);
      }
    }
    move_condition_to_end(status, progress, arena_);  // its time moves with all progress
  } else if (has_timed_out(status)) {
    set_condition(status, condition("Progressing", "False", "ProgressDeadlineExceeded",
                                    subject + " has timed out progressing."));
  }
}

// Shows the failure of a ReplicaSet, of the new one first.
void DeploymentSync::set_replica_failure(Value& status) const {
  ReplicaSetList sets{new_};
  sets.insert(sets.end(), old_.begin(), old_.end());
  for (const ReplicaSet* set : sets) {
    const Value* set_status = set == nullptr ? nullptr : set->object.find("status");
    const Value* failure =
        set_status == nullptr ? nullptr : condition_in(*set_status, "ReplicaFailure");
    if (failure == nullptr) continue;
    Value shown = failure->clone(arena_);
    if (const Value* since = failure->find("lastTransitionTime")) {
      shown.set(arena_, "lastUpdateTime", *since);
    }
    set_condition(status, shown);
    return;
  }
  remove_condition(status, "ReplicaFailure", arena_);
}

Result<void> DeploymentSync::sync_status_only() {
  const Value status = new_status();
  const Value* old = deployment_.object.find("status");
  if (old != nullptr && deep_equal(*old, status)) return {};
  deployment_.object.set(arena_, "status", status);
  return write_status();
}

Result<void> DeploymentSync::sync_rollout_status() {
  Value status = new_status();
  if (deployment_.progress_deadline()) {
    set_progress(status);
  } else {
    remove_condition(status, "Progressing", arena_);
  }
  set_replica_failure(status);
  const Value* old = deployment_.object.find("status");
  if (old != nullptr && deep_equal(*old, status)) {
    plan_next_check(status);
    return {};
  }
  deployment_.object.set(arena_, "status", status);
  return write_status();
}

void DeploymentSync::plan_next_check(const Value& status) {
  const auto deadline = deployment_.progress_deadline();
  const Value* progress = deployment_.condition("Progressing");
  if (!deadline || progress == nullptr || is_complete(status)) return;
  // Neither can time out (any more): see has_timed_out().
  const std::string_view reason = progress->string_at("reason");
  if (reason == "ProgressDeadlineExceeded" || reason == "NewReplicaSetAvailable") return;
  const auto since = parse_rfc3339(progress->string_at("lastUpdateTime"));
  if (!since) return;
  const Time over = *since + Duration::from_seconds(*deadline);
  next_check_ = std::max(over, cluster_.now) + kReactionDelay;
}

}  // namespace tabernetes::controllers
