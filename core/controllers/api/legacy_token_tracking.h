// Keeps the ConfigMap that says since when uses of tokens in Secrets are noted. Runs as part
// of the API server, wherever such tokens are made. Source: upstream 1.36
// pkg/controlplane/controller/legacytokentracking.
#pragma once

#include <optional>

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class LegacyTokenTracking final : public QueuedLoop<LegacyTokenTracking> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;

  // When it was made last: upstream makes it every half an hour at most.
  std::optional<Time> made_;
};

}  // namespace tabernetes::controllers
