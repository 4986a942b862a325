#include "admission/webhook_set.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "json/access.h"

namespace tabernetes::admission {
namespace {

using json::Value;

std::string_view plural_of(WebhookKind kind) {
  return kind == WebhookKind::kMutating ? "mutatingwebhookconfigurations"
                                        : "validatingwebhookconfigurations";
}

// Returns the first version of AdmissionReview that the webhook accepts and the server knows.
std::string_view review_version_of(const Value& webhook) {
  for (const Value& version : items_at(webhook, {"admissionReviewVersions"})) {
    for (const std::string_view known : {"v1", "v1beta1"}) {
      if (text_of(version) == known) return known;
    }
  }
  return {};
}

registry::WebhookClient client_of(const Value& webhook) {
  const Value* config = webhook.find("clientConfig");
  return config == nullptr ? registry::WebhookClient() : registry::read_webhook_client(*config);
}

}  // namespace

bool has_webhooks(const registry::Registry& registry) {
  for (const WebhookKind kind : {WebhookKind::kMutating, WebhookKind::kValidating}) {
    if (registry.any_record_contains({"admissionregistration.k8s.io", "v1", plural_of(kind)}, "")) {
      return true;
    }
  }
  return false;
}

bool has_webhooks(const store::Tree& tree) {
  bool found = false;
  for (const WebhookKind kind : {WebhookKind::kMutating, WebhookKind::kValidating}) {
    const std::string prefix = "admissionregistration.k8s.io/" + std::string(plural_of(kind)) + "/";
    tree.scan(prefix, store::prefix_end(prefix), [&](std::string_view, const store::RecordPtr&) {
      found = true;
      return false;
    });
  }
  return found;
}

CompiledWebhook::CompiledWebhook(WebhookKind of, ConfigurationPtr stored, const Value& webhook,
                                 std::size_t index, const registry::WebhookUsers* users)
    : kind(of),
      configuration(std::move(stored)),
      spec(webhook),
      client(client_of(webhook)),
      review_version(review_version_of(webhook)),
      conditions(configuration->object, {webhook.find("matchConditions"), "expression",
                                         registry::kinds::ExpressionUse::kCondition}) {
  id = std::string(plural_of(kind)).append("/").append(configuration->name()) + "/" +
       std::to_string(index);
  if (users != nullptr) users->identify(client);
  const Value* seconds = webhook.find("timeoutSeconds");
  if (seconds != nullptr && seconds->is_int()) timeout_seconds = seconds->as_int();
}

bool CompiledWebhook::is_free_of_effects() const {
  const std::string_view effects = spec.string_at("sideEffects");
  return effects == "None" || effects == "NoneOnDryRun";
}

void WebhookSet::follow(const Configurations& configurations, std::uint64_t version) {
  if (version_ == version) return;
  version_ = version;
  std::unordered_map<const Value*, std::shared_ptr<const CompiledWebhook>> known;
  for (const auto& webhook : webhooks_) known[&webhook->spec] = webhook;
  webhooks_.clear();
  index_ = {};
  configurations.each(plural_of(kind_), [&](const ConfigurationPtr& configuration) {
    std::size_t index = 0;
    for (const Value& webhook : items_at(configuration->object, {"webhooks"})) {
      const Value* rules = webhook.find("rules");
      const std::size_t number = index++;
      if (rules == nullptr || rules->size() == 0) continue;  // it matches nothing
      std::shared_ptr<const CompiledWebhook>& compiled = known[&webhook];
      if (compiled == nullptr) {
        compiled =
            std::make_shared<const CompiledWebhook>(kind_, configuration, webhook, number, users_);
      }
      webhooks_.push_back(compiled);
      index_.add(rules);
    }
  });
}

std::vector<std::shared_ptr<const CompiledWebhook>> WebhookSet::candidates(
    const registry::ResourceType& own,
    const std::vector<const registry::ResourceType*>& others) const {
  std::vector<std::shared_ptr<const CompiledWebhook>> found;
  for (const std::uint32_t number : index_.find(own, others)) found.push_back(webhooks_[number]);
  return found;
}

std::size_t WebhookSet::place_of(const CompiledWebhook& webhook) const {
  std::size_t place = 0;
  while (place < webhooks_.size() && webhooks_[place].get() != &webhook) ++place;
  return place;
}

}  // namespace tabernetes::admission
