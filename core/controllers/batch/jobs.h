// Runs the pods of Jobs to completion. Source: upstream 1.36 pkg/controller/job.
#pragma once

#include <map>
#include <string>

#include "controllers/batch/job_backoff.h"
#include "controllers/loop/queued_loop.h"
#include "controllers/shared/workload.h"

namespace tabernetes::controllers {

class Jobs final : public Cloneable<Jobs, ControlLoop> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;
  void resync() override;
  std::optional<Time> next() const override;
  std::optional<Time> next_once() const override;
  void reconcile_due(const ReconcileContext& cluster) override;

 private:
  void observe_job(const WatchEvent& change);
  void observe_pod(const registry::Registry& registry, const WatchEvent& change);
  // Queues the jobs that select a pod which nobody controls.
  void observe_orphan(const registry::Registry& registry, const WatchEvent& change);
  Result<void> sync(const ReconcileContext& cluster, const std::string& key);
  // Lets a pod go that has no job which would count it.
  void release_orphan(const ReconcileContext& cluster, const std::string& key);

  WorkQueue jobs_;
  WorkQueue orphans_;  // pods that may have lost their job
  std::map<std::string, JobBackoff> backoffs_;
  SelectorCache selectors_;
};

}  // namespace tabernetes::controllers
