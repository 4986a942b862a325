// Lets claims grow whose spec asks for more than their volume has. Volumes of the provisioner
// `tabernetes.dev/hostless` grow at once; of others it is told that somebody else must do it.
// Source: upstream 1.36 pkg/controller/volume/expand; external-resizer.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class VolumeExpansion final : public QueuedLoop<VolumeExpansion> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: claims.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers
