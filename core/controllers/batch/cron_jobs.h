// Starts the Jobs of CronJobs when their time has come, and removes old ones. Source: upstream 1.36
// pkg/controller/cronjob.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class CronJobs final : public QueuedLoop<CronJobs> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: cron jobs.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers
