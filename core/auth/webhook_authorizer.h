// The authorization mode Webhook: a service decides, in answers to SubjectAccessReviews. Source:
// upstream 1.36 apiserver/plugin/pkg/authorizer/webhook.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "auth/authorizer.h"
#include "auth/match_conditions.h"
#include "registry/kind/expiring_cache.h"
#include "registry/kind/pending_work.h"
#include "registry/kind/webhook_client.h"
#include "tabernetes/time.h"

namespace tabernetes::auth {

struct AccessWebhook {
  std::string name;
  registry::WebhookClient client;
  std::string version;  // of the reviews: "v1" or "v1beta1"
  Duration timeout;
  // How long decisions are kept; 0: they are not.
  Duration authorized_ttl, unauthorized_ttl;
  bool denies_on_error = false;
  MatchConditions conditions;
};

// What a cluster has for asking webhooks about callers. Used by the writer only.
struct WebhookAsking {
  // The answers of the request that is done at the moment; null: it cannot wait for any.
  registry::PendingWork* pending = nullptr;
  registry::ExpiringCache decisions{8192};
  registry::ExpiringCache tokens{4096};
};

// While there is no answer, decisions are denials: they do not count, as the request is done again.
class WebhookAuthorizer final : public Authorizer {
 public:
  // REQUIRES: `now` and what the pointers own outlive this object.
  WebhookAuthorizer(std::shared_ptr<const AccessWebhook> webhook,
                    std::shared_ptr<WebhookAsking> asking, const Time& now)
      : webhook_(std::move(webhook)), asking_(std::move(asking)), now_(now) {}

  Decision authorize(const Attributes& attributes) const override;
  Rules rules_for(const User& user, std::string_view ns, json::Arena& arena) const override;
  std::string_view name() const override { return "Webhook"; }

 private:
  Decision failed(std::string error) const;

  const std::shared_ptr<const AccessWebhook> webhook_;
  const std::shared_ptr<WebhookAsking> asking_;
  const Time& now_;
};

}  // namespace tabernetes::auth
