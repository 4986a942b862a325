// The controllers of ReplicaSets and ReplicationControllers, which keep as many pods as wanted.
// Source: upstream 1.36 pkg/controller/replicaset, pkg/controller/replication.
#pragma once

#include "controllers/loop/queued_loop.h"
#include "controllers/shared/controller_ref.h"
#include "controllers/shared/workload.h"

namespace tabernetes::controllers {

// What differs between the two kinds.
struct ReplicaSetKind {
  std::string_view group, plural;
  std::string_view source;              // of events
  bool counts_terminating_pods = true;  // status.terminatingReplicas
};

class ReplicaSetsOf : public SyncLoop {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) final;

 protected:
  explicit ReplicaSetsOf(const ReplicaSetKind& kind) : kind_(kind) {}

 private:
  // Keys: those of ReplicaSets.
  Result<void> sync(const ReconcileContext& cluster, const std::string& key) final;
  void forget() final { selectors_.clear(); }

  const registry::ResourceType& type(const registry::Registry& registry) const {
    return built_in(registry, kind_.group, "v1", kind_.plural);
  }
  Result<void> manage_replicas(const ReconcileContext& cluster, const Owner& set,
                               Informers::Pods active) const;
  // Returns the pods of all sets of the deployment to which this set belongs.
  Informers::Pods related_pods(const ReconcileContext& cluster, const Owner& set) const;
  json::Value new_status(const ReconcileContext& cluster, const Owner& set,
                         const Informers::Pods& active, std::int64_t terminating,
                         const ApiStatus* failure) const;

  const ReplicaSetKind& kind_;
  SelectorCache selectors_;
};

class ReplicaSets final : public Cloneable<ReplicaSets, ReplicaSetsOf> {
 public:
  ReplicaSets();
};

class ReplicationControllers final : public Cloneable<ReplicationControllers, ReplicaSetsOf> {
 public:
  ReplicationControllers();
};

}  // namespace tabernetes::controllers
