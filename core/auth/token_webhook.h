// A webhook that knows tokens, by answers to TokenReviews. Source: upstream 1.36
// apiserver/plugin/pkg/authenticator/token/webhook.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/user.h"
#include "auth/webhook_authorizer.h"
#include "tabernetes/options.h"

namespace tabernetes::auth {

struct TokenWebhook {
  registry::WebhookClient client;
  std::string version;  // of the reviews: "v1" or "v1beta1"
  Duration ttl;         // how long answers are kept; 0: they are not
};

// Returns the webhook that the options describe; nullopt if they describe none, or none that can be
// called: see check_token_webhook().
std::optional<TokenWebhook> token_webhook_of(const Options& options);

// What the webhook says of a token that is shown to one of the audiences.
struct WebhookToken {
  std::optional<User> user;
  std::vector<std::string> audiences;
  std::string error;  // what is wrong, if it says so; or why it says nothing
};
WebhookToken review_token(const TokenWebhook& webhook, WebhookAsking& asking, Time now,
                          std::string_view token, const std::vector<std::string>& audiences);

}  // namespace tabernetes::auth
