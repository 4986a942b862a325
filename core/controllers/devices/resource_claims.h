// Makes the ResourceClaims of pods from templates, and takes back what pods no longer need. Source:
// upstream 1.36 pkg/controller/resourceclaim.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class ResourceClaims final : public Cloneable<ResourceClaims, SyncLoop> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  void observe_pod(const WatchEvent& change);
  // Keys: "pod:NAMESPACE/NAME" and "claim:NAMESPACE/NAME".
  Result<void> sync(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers
