// One reconciliation of a StatefulSet. Source: upstream 1.36
// pkg/controller/statefulset/stateful_set_control.go.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "controllers/apps/stateful_identity.h"
#include "controllers/shared/controller_history.h"

namespace tabernetes::controllers {

class StatefulSetSync {
 public:
  // `pods` are those that the set has claimed.
  StatefulSetSync(const ReconcileContext& cluster, const Owner& set, Informers::Pods pods,
                  Revisions revisions);

  Result<void> run();
  // Returns when a pod becomes available, if only time is missing.
  std::optional<Time> next_check() const;

 private:
  // The place of an ordinal: its pod or, if it has none, where one will be.
  struct Replica {
    const PodSummary* pod = nullptr;
    StatefulPod identity;
    std::string revision;  // of the pod, or that it will have
  };
  // Whether a replica is done with, or the others have to wait for it.
  enum class Step { kNext, kWait };
  struct Counts {
    std::int64_t replicas = 0, ready = 0, available = 0, current = 0, updated = 0;
  };

  Result<void> find_revisions();
  void place_pods();
  Replica replica_of(const PodSummary& pod) const;
  Replica missing_replica(std::int64_t ordinal) const;
  bool is_unavailable(const Replica& replica) const;
  bool one_by_one() const;

  // Calls `step` for each replica: in order until one waits or fails, or for all.
  template <typename Replicas, typename Do>
  Result<Step> for_all(const Replicas& replicas, const Do& step) const;

  // Bring about what the set asks for; count in `counts_` what is.
  Result<void> bring_about();
  Result<Step> process_replica(const Replica& replica);
  Result<Step> process_condemned(const Replica& replica);
  Result<void> update_pods();
  Result<void> delete_for_update();
  Result<void> delete_as_many_as_allowed();
  bool limits_unavailable() const;

  Result<void> create(const Replica& replica);
  Result<void> update(const Replica& replica);
  Result<void> remove(const Replica& replica);
  void tell(std::string_view verb, const Replica& replica, const ApiStatus* error) const;

  void count_pods();
  Result<void> write_status();
  Result<void> truncate_history();

  const ReconcileContext& cluster_;
  json::Arena& arena_;
  const Owner& set_;
  const Informers::Pods pods_;
  Revisions revisions_;
  Revision current_, update_;
  std::int64_t collisions_ = 0;
  std::int64_t min_ready_ = 0;
  std::vector<Replica> replicas_;   // by ordinal
  std::vector<Replica> condemned_;  // the highest ordinal first
  const Replica* first_unavailable_ = nullptr;
  Counts counts_;
  StatefulClaims claims_;
};

}  // namespace tabernetes::controllers
