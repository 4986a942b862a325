// Marks, and a year later deletes, tokens that were made for service accounts before Kubernetes
// 1.24 and that nobody uses. Source: upstream 1.36
// pkg/controller/serviceaccount/legacy_serviceaccount_token_cleaner.go.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class LegacyTokenCleaner final : public QueuedLoop<LegacyTokenCleaner> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Looks at all Secrets with tokens, once a day.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers
