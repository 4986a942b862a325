// The controller of DaemonSets, which have a pod on each node that suits. Source: upstream 1.36
// pkg/controller/daemon.
#pragma once

#include <map>
#include <string>

#include "controllers/apps/daemon_set_sync.h"
#include "controllers/loop/queued_loop.h"
#include "controllers/shared/workload.h"

namespace tabernetes::controllers {

class DaemonSets final : public Cloneable<DaemonSets, SyncLoop> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: those of DaemonSets, and those of nodes that changed.
  Result<void> sync(const ReconcileContext& cluster, const std::string& key) override;
  void forget() override;

  void observe_node(const WatchEvent& change);
  void observe_revision(const registry::Registry& registry, const WatchEvent& change);
  // Queues the DaemonSets for which the node matters.
  void sync_node(const ReconcileContext& cluster, std::string_view name);

  SelectorCache selectors_;
  DaemonNodes nodes_;
  DaemonBackoffs backoffs_;
};

}  // namespace tabernetes::controllers
