// Fills the Secrets of type kubernetes.io/service-account-token with tokens of their accounts, and
// deletes those whose account is gone. Source: upstream 1.36
// pkg/controller/serviceaccount/tokens_controller.go.
#pragma once

#include <string>
#include <string_view>

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class ServiceAccountTokens final : public QueuedLoop<ServiceAccountTokens> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: see KeyParts. Does nothing if nobody signs tokens.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers
