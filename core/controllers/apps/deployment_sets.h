// A Deployment and its ReplicaSets during one reconciliation. Source: upstream 1.36
// pkg/controller/deployment/util.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/shared/controller_ref.h"
#include "controllers/shared/workload.h"
#include "json/access.h"

namespace tabernetes::controllers {

inline constexpr std::string_view kRevision = "deployment.kubernetes.io/revision";
inline constexpr std::string_view kRevisionHistory = "deployment.kubernetes.io/revision-history";
inline constexpr std::string_view kDesiredReplicas = "deployment.kubernetes.io/desired-replicas";
inline constexpr std::string_view kMaxReplicas = "deployment.kubernetes.io/max-replicas";
inline constexpr std::string_view kRollbackTo = "deprecated.deployment.rollback.to";
inline constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
inline constexpr std::string_view kPodTemplateHash = "pod-template-hash";
// A limit of this is none.
inline constexpr std::int64_t kNoLimit = 2147483647;

// One ReplicaSet; its object is replaced when it is written.
struct ReplicaSet {
  json::Value object;

  std::string_view name() const { return text_at(object, {"metadata", "name"}); }
  std::string_view uid() const { return text_at(object, {"metadata", "uid"}); }
  std::string_view created() const { return text_at(object, {"metadata", "creationTimestamp"}); }
  std::int64_t replicas() const { return number_at(object, {"spec", "replicas"}); }
  std::int64_t status(std::string_view count) const { return number_at(object, {"status", count}); }
  std::int64_t available() const { return status("availableReplicas"); }
  std::string_view annotation(std::string_view key) const {
    return text_at(object, {"metadata", "annotations", key});
  }
  // Returns the annotation's number; 0 if there is none.
  std::int64_t revision() const;
  // Returns a count that an annotation has, or nullopt.
  std::optional<std::int64_t> count_annotation(std::string_view key) const;
};
using ReplicaSetList = std::vector<ReplicaSet*>;

// The Deployment as it was read, with what its status and annotations become.
struct DeploymentState {
  json::Value object;

  std::string_view name() const { return text_at(object, {"metadata", "name"}); }
  std::int64_t replicas() const { return number_at(object, {"spec", "replicas"}); }
  const json::Value& pod_template() const { return *object.at({"spec", "template"}); }
  bool paused() const { return bool_at(object, {"spec", "paused"}); }
  bool is_rolling_update() const {
    return text_at(object, {"spec", "strategy", "type"}) == "RollingUpdate";
  }
  std::int64_t max_surge() const;
  std::int64_t max_unavailable() const;
  // Return nullopt if there is no limit.
  std::optional<std::int64_t> progress_deadline() const;
  std::optional<std::int64_t> revision_history_limit() const;
  const json::Value* condition(std::string_view type) const;
  std::string_view condition_reason(std::string_view type) const;
};

// Sums over sets, of which some may be null.
std::int64_t sum_of_replicas(const ReplicaSetList& sets);
std::int64_t sum_of(const ReplicaSetList& sets, std::string_view count);

// Returns the sets that have or should have pods.
ReplicaSetList active_sets(const ReplicaSetList& sets);
void sort_by_creation(ReplicaSetList& sets);
// Largest first; among equals the newer or the older ones.
void sort_by_size(ReplicaSetList& sets, bool newer_first);
void sort_by_revision(ReplicaSetList& sets);

// Returns true if the templates are equal but for the hash in their labels.
bool equal_ignoring_hash(const json::Value& a, const json::Value& b, json::Arena& arena);

// Returns the only set with replicas, or the newest if there is none; null if there are several.
ReplicaSet* active_or_latest(ReplicaSet* newest, ReplicaSetList older);
// Returns true if the set alone does what the Deployment wants.
bool is_saturated(const DeploymentState& deployment, const ReplicaSet* set);
// Returns how many replicas the new set may have now; `all` contains it.
std::int64_t new_set_replicas(const DeploymentState& deployment, const ReplicaSetList& all,
                              const ReplicaSet& newest);
// Returns the share of a set in `to_add` replicas (negative: to remove) of which `added` are given.
std::int64_t proportion_of(const ReplicaSet& set, const DeploymentState& deployment,
                           std::int64_t to_add, std::int64_t added);

// Sets the annotations of how many replicas are wanted and allowed. Returns whether that changed
// anything.
bool set_replicas_annotations(ReplicaSet& set, const DeploymentState& deployment,
                              json::Arena& arena);
// Copies the Deployment's annotations to its new set and sets its revision, keeping earlier ones.
// Returns whether that changed anything.
bool set_new_set_annotations(const DeploymentState& deployment, ReplicaSet& set,
                             std::int64_t revision, bool exists, json::Arena& arena);
// Returns true for annotations that belong to the Deployment alone.
bool is_own_annotation(std::string_view key);

// Sets an annotation of an object; returns whether that changed it.
bool set_annotation(json::Value& object, std::string_view key, std::string_view value,
                    json::Arena& arena);

}  // namespace tabernetes::controllers
