// The scheduler: finds a node for each pod of the scheduler `default-scheduler`, as kube-scheduler
// 1.36 does with its default profile. Source: upstream 1.36 pkg/scheduler.
//
// It is one control loop; a reconciliation is an attempt to schedule one pod. docs/compatibility.md
// says what it does not do.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "controllers/loop/control_loop.h"
#include "controllers/scheduler/cache.h"
#include "controllers/scheduler/cluster_event.h"
#include "controllers/scheduler/cycle.h"
#include "controllers/scheduler/default_spread.h"
#include "controllers/scheduler/pod_writes.h"
#include "controllers/scheduler/preemption.h"
#include "controllers/scheduler/scheduling_queue.h"

namespace tabernetes::controllers {

class Scheduler final : public ControlLoop {
 public:
  Scheduler() = default;
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;
  void resync() override;
  std::optional<Time> next() const override;
  std::optional<Time> next_once() const override;
  void reconcile_due(const ReconcileContext& cluster) override;
  std::unique_ptr<ControlLoop> clone() const override;

 private:
  using PodPtr = scheduling::PodPtr;
  using QueuedPod = scheduling::QueuedPod;

  // A pod that has a node, and waits for its volumes to be bound.
  struct Binding {
    QueuedPod queued;
    std::string node;
    Time check, deadline;
  };
  struct Found {
    std::string node;    // empty: none
    bool waits = false;  // for its volumes
    std::string failure;
    std::string_view reason = "Unschedulable";
    bool retries = false;
    std::optional<std::string> nominated;
    std::vector<PodPtr> victims;
  };

  Scheduler(const Scheduler&) = default;
  // Returns the earlier one of `first` and the first check of a binding.
  std::optional<Time> with_bindings(std::optional<Time> first) const;
  scheduling::Cache& cache();

  void observe_devices(const registry::Registry& registry, const WatchEvent& change);
  void observe_pod(const registry::Registry& registry, const WatchEvent& change);
  void observe_unscheduled(const registry::Registry& registry, const PodPtr& pod,
                           const WatchEvent& change);
  void observe_scheduled(const PodPtr& pod, const WatchEvent& change);
  void observe_gone(const std::string& key, const WatchEvent& change);
  void observe_node(const WatchEvent& change);
  void announce(const scheduling::ClusterEvent& event, const WatchEvent& change);
  void nominate(const PodPtr& pod);
  void drop_nomination(const std::string& key);

  void attempt(const ReconcileContext& cluster, QueuedPod queued);
  static Found failed(std::string message);
  static Found prebind_error(const std::string& message);
  static Found explain_devices(const ReconcileContext& cluster, scheduling::Cycle& cycle);
  Found find_node(const ReconcileContext& cluster, QueuedPod& queued);
  std::vector<int> find_feasible(scheduling::Cycle& cycle,
                                 std::vector<scheduling::NodeVerdict>& refusals);
  Found explain(const ReconcileContext& cluster, scheduling::Cycle& cycle, QueuedPod& queued,
                const std::vector<scheduling::NodeVerdict>& refusals);
  int choose(const ReconcileContext& cluster, const scheduling::PodInfo& pod,
             const std::vector<int>& nodes);
  void fail(const ReconcileContext& cluster, QueuedPod queued, const Found& found);
  void bind(const ReconcileContext& cluster, QueuedPod queued, const std::string& node);
  void check_binding(const ReconcileContext& cluster, const std::string& key);

  // Shared with forks until either changes it: `owned_` is false then.
  std::shared_ptr<scheduling::Cache> cache_ = std::make_shared<scheduling::Cache>();
  mutable bool owned_ = true;
  scheduling::SchedulingQueue queue_;
  scheduling::Nominations nominations_;
  std::map<std::string, std::string> nominated_;  // nodes by key of the pod
  scheduling::DefaultSpread default_spread_;
  scheduling::EventWriter events_;
  std::map<std::string, Binding> bindings_;  // by key of the pod
  std::size_t next_start_ = 0;               // where the search for nodes goes on
  store::Revision bound_at_ = 0;             // the revision of the last binding
};

}  // namespace tabernetes::controllers
