// The namespace controller: deletes the content of a terminating namespace, reports in its
// conditions what remains, and removes its finalizer when nothing does. Source: spec/lifecycle.md
// 5; upstream 1.36 pkg/controller/namespace/deletion.
//
// Pods go first; while any remain, other resources are not touched. Retries happen at upstream's
// intervals, but only if anything was written meanwhile: nothing else could have changed the
// result. With aggregated API servers, time alone may.
#pragma once

#include <map>
#include <string>

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class NamespaceDeletion final : public QueuedLoop<NamespaceDeletion> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: names of namespaces.
  void reconcile(const ReconcileContext& cluster, const std::string& ns) override;
  void forget() override;

  // A namespace in which only a write can make progress possible.
  struct Retry {
    Time first;  // the first retry
    Duration period;
  };

  void retry_after_estimate(const std::string& ns, Time now, std::int64_t estimate,
                            bool time_matters);
  void retry_with_backoff(const std::string& ns, Time now, bool time_matters);

  std::map<std::string, Retry, std::less<>> waiting_;
  std::map<std::string, int, std::less<>> failures_;  // consecutive failures
};

}  // namespace tabernetes::controllers
