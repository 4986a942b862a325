// Tokens by which nodes join a cluster: those that have expired are deleted, and the others sign
// the ConfigMap by which a node finds the cluster. Source: upstream 1.36 pkg/controller/bootstrap.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class TokenCleaner final : public QueuedLoop<TokenCleaner> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: names of Secrets.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

class BootstrapSigner final : public QueuedLoop<BootstrapSigner> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers
