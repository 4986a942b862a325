// Removes pods that nobody else would: of nodes that are gone, terminating ones that are on no node
// or on one that is out of service, and the oldest finished ones beyond 12500. Source:
// upstream 1.36 pkg/controller/podgc.
#pragma once

#include <map>
#include <set>
#include <string>

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class PodGarbageCollector final : public QueuedLoop<PodGarbageCollector> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Has one key, for all pods.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
  void forget() override;
  void observe_pod(const registry::Registry& registry, const WatchEvent& change);
  void collect_of_gone_nodes(const ReconcileContext& cluster);
  void collect_terminating(const ReconcileContext& cluster);
  void collect_finished(const ReconcileContext& cluster);

  // Nodes that pods are on and that do not exist, and from when on that counts.
  std::map<std::string, std::optional<Time>, std::less<>> missing_nodes_;
  std::set<std::string, std::less<>> out_of_service_;  // nodes
  std::set<std::string, std::less<>> unscheduled_;     // terminating pods without a node
  std::size_t finished_ = 0;                           // pods that ended
};

}  // namespace tabernetes::controllers
