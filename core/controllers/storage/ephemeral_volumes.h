// Creates the claims of ephemeral volumes, which live as long as their pods. Source: upstream 1.36
// pkg/controller/volume/ephemeral.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class EphemeralVolumes final : public Cloneable<EphemeralVolumes, SyncLoop> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: pods.
  Result<void> sync(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers
