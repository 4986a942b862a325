// The webhooks of the stored configurations of a kind, in the order in which they are called,
// compiled once for each version of their configuration and indexed by the resources that they
// match.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "admission/configurations.h"
#include "admission/policy_program.h"
#include "admission/resource_index.h"
#include "registry/kind/webhook_client.h"
#include "registry/kind/webhook_kubeconfig.h"

namespace tabernetes::admission {

enum class WebhookKind : std::uint8_t { kMutating, kValidating };

struct CompiledWebhook {
  // REQUIRES: `webhook` is the item at `index` of `configuration`.
  // `users` may be null.
  CompiledWebhook(WebhookKind kind, ConfigurationPtr configuration, const json::Value& webhook,
                  std::size_t index, const registry::WebhookUsers* users);

  std::string_view name() const { return spec.string_at("name"); }
  bool fails_open() const { return spec.string_at("failurePolicy") == "Ignore"; }
  bool may_be_reinvoked() const { return spec.string_at("reinvocationPolicy") == "IfNeeded"; }
  // Returns true if it may be called for a dry run.
  bool is_free_of_effects() const;

  WebhookKind kind;
  ConfigurationPtr configuration;
  const json::Value& spec;  // with rules, selectors and matchPolicy
  std::string id;           // unique among all webhooks
  registry::WebhookClient client;
  std::int64_t timeout_seconds = 10;
  std::string_view review_version;  // "v1", "v1beta1"; empty: it knows neither
  ExpressionList conditions;
};

class WebhookSet {
 public:
  explicit WebhookSet(WebhookKind kind) : kind_(kind) {}

  // Sets who calls the webhooks, before the first follow(). REQUIRES: `users` outlives this object;
  // it may be null.
  void set_users(const registry::WebhookUsers* users) { users_ = users; }
  // Brings the set up to date. REQUIRES: `version` is what configurations.follow() returned.
  void follow(const Configurations& configurations, std::uint64_t version);
  // Returns the webhooks that may match a request for one of the types, in order.
  std::vector<std::shared_ptr<const CompiledWebhook>> candidates(
      const registry::ResourceType& own,
      const std::vector<const registry::ResourceType*>& others) const;
  // Must be called when types may be others than before.
  void forget_types() { index_.forget_types(); }
  // Returns the number of a webhook among all of the set.
  std::size_t place_of(const CompiledWebhook& webhook) const;

 private:
  const WebhookKind kind_;
  const registry::WebhookUsers* users_ = nullptr;
  std::uint64_t version_ = 0;
  std::vector<std::shared_ptr<const CompiledWebhook>> webhooks_;
  ResourceIndex index_;
};

// Returns whether any webhook is configured.
bool has_webhooks(const registry::Registry& registry);
bool has_webhooks(const store::Tree& tree);

}  // namespace tabernetes::admission
