// Data that plugins keep between requests: one object per cluster, used by the writer's thread
// only.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "admission/access.h"
#include "admission/configurations.h"
#include "admission/configured_plugins.h"
#include "admission/event_limits.h"
#include "admission/plugin_settings.h"
#include "admission/policy_set.h"
#include "admission/resource_index.h"
#include "admission/webhook_set.h"
#include "registry/kind/expiring_cache.h"
#include "tabernetes/time.h"

namespace tabernetes::admission {

// Makes the ServiceAccount `default` of a namespace, if that is active. Empty: nobody does.
using DefaultAccountMaker = std::function<void(std::string_view ns, Time now)>;

// Which of a plugin's webhooks or policies run a second time. Source: upstream 1.36 apiserver
// pkg/admission/plugin/webhook/mutating/reinvocationcontext.go.
struct Reinvocations {
  std::set<std::string, std::less<>> invoked;  // may be reinvoked once the object changes
  std::set<std::string, std::less<>> wanted;   // run in the second round
  json::Value last_output;                     // the object as the plugin left it
  bool rounds_times = true;                    // no patch has been applied yet

  void object_changed() {
    wanted.merge(invoked);
    invoked.clear();
  }
};

// The mutating phase of a request, which runs a second time if a webhook or a policy has changed
// the object.
struct MutatingRound {
  bool second = false;
  bool again = false;  // a second round is wanted
  Reinvocations policies, webhooks;
};

struct PluginState {
  // Brings everything that follows the stored configurations up to date.
  void follow(const registry::Registry& registry) {
    const std::uint64_t version = configurations.follow(registry);
    if (types.get() != &registry.resources()) {
      types = registry.shared_resources();
      validating_policies.forget_types();
      mutating_policies.forget_types();
      mutating_webhooks.forget_types();
      validating_webhooks.forget_types();
    }
    validating_policies.follow(configurations, version);
    mutating_policies.follow(configurations, version);
    mutating_webhooks.follow(configurations, version);
    validating_webhooks.follow(configurations, version);
  }

  const PluginSettings& settings() const { return *configured; }
  void configure(std::shared_ptr<const PluginSettings> settings) {
    configured = std::move(settings);
    const auto users_of = [&](const std::optional<PluginSettings::Callers>& callers) {
      return callers ? &callers->users : nullptr;  // kept by `configured`
    };
    mutating_webhooks.set_users(users_of(configured->mutating_callers));
    validating_webhooks.set_users(users_of(configured->validating_callers));
    event_buckets.clear();
    for (const EventLimit& limit : configured->event_limits) event_buckets.emplace_back(limit);
  }

  std::shared_ptr<const PluginSettings> configured = std::make_shared<const PluginSettings>();
  std::vector<EventBuckets> event_buckets;  // one for each limit
  ConfiguredPlugins configured_plugins;
  std::shared_ptr<const registry::ResourceTable> types;  // that were seen last
  Configurations configurations;
  EquivalentTypes equivalents;
  PolicySet validating_policies{
      {"validatingadmissionpolicies", "validatingadmissionpolicybindings"}};
  PolicySet mutating_policies{{"mutatingadmissionpolicies", "mutatingadmissionpolicybindings"}};
  WebhookSet mutating_webhooks{WebhookKind::kMutating};
  WebhookSet validating_webhooks{WebhookKind::kValidating};
  registry::ExpiringCache image_reviews{1024};
  DefaultAccountMaker make_default_account;
  AccessCheck may_access;
  MutatingRound round;  // of the request in its mutating phase
};

}  // namespace tabernetes::admission
