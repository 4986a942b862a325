#include "auth/token_webhook.h"

#include <algorithm>
#include <utility>

#include "auth/token_authenticator.h"
#include "auth/token_issuer.h"
#include "base/algorithm/sort.h"
#include "base/crypto/hash.h"
#include "base/go/text.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/access.h"
#include "registry/kind/review_question.h"
#include "registry/kind/webhook_kubeconfig.h"

namespace tabernetes::auth {
namespace {

using json::Value;

constexpr registry::ReviewForm kTokenReview{
    .group = "authentication.k8s.io",
    .kind = "TokenReview",
    .scheme = "k8s.io/apiserver/plugin/pkg/authenticator/token/webhook/webhook.go:201",
    .status = {{"authenticated", &Value::is_bool, "bool"},
               {"user", &Value::is_object, "v1.UserInfo"},
               {"audiences", &Value::is_array, "[]string"},
               {"error", &Value::is_string, "string"}},
    .empty_status = R"({"user":{}})"};

constexpr std::string_view kAuthenticated = "system:authenticated";

std::vector<std::string> texts_in(const Value& object, std::string_view key) {
  std::vector<std::string> texts;
  for (const Value& text : json::items_in(object, key)) texts.emplace_back(json::text_of(text));
  return texts;
}

User user_of(const Value& given) {
  User user{.name = std::string(given.string_at("username")),
            .uid = std::string(given.string_at("uid")),
            .groups = texts_in(given, "groups"),
            .extra = {}};
  if (std::find(user.groups.begin(), user.groups.end(), kAuthenticated) == user.groups.end()) {
    user.groups.emplace_back(kAuthenticated);
  }
  for (const json::Member& member : json::members_at(given, {"extra"})) {
    auto& [key, values] = user.extra.emplace_back(member.key, std::vector<std::string>());
    if (!member.value.is_array()) continue;
    for (const Value& value : member.value.items()) values.emplace_back(json::text_of(value));
  }
  sort_stable(user.extra);
  return user;
}

WebhookToken read_status(std::string_view text, const std::vector<std::string>& audiences) {
  json::Arena arena;
  const Value status = codec::read_json(arena.copy(text), arena).value;
  WebhookToken token;
  // A webhook that names no audiences knows nothing of them: the token is for this server.
  std::vector<std::string> known = texts_in(status, "audiences");
  if (known.empty()) known = {std::string(kIssuer)};
  token.audiences = common_audiences(audiences, known);
  if (token.audiences.empty()) return token;
  if (!json::bool_at(status, {"authenticated"})) {
    token.error = status.string_at("error");
    return token;
  }
  const Value* user = json::object_in(status, "user");
  token.user = user_of(user != nullptr ? *user : Value::object(arena));
  return token;
}

std::string spec_of(std::string_view token, const std::vector<std::string>& audiences) {
  json::Arena arena;
  Value spec = Value::object(arena);
  if (!token.empty()) spec.append(arena, "token", Value::string(token));
  Value list = Value::array(arena);
  for (const std::string& audience : audiences) list.push_back(arena, Value::string(audience));
  if (!audiences.empty()) spec.append(arena, "audiences", list);
  return codec::json_text(spec);
}

}  // namespace

std::optional<TokenWebhook> token_webhook_of(const Options& options) {
  if (!check_token_webhook(options.token_webhook, options.files)) return std::nullopt;
  if (options.token_webhook.kubeconfig.empty()) return std::nullopt;
  auto client = registry::read_kubeconfig(options.token_webhook.kubeconfig, options.files);
  return TokenWebhook{std::move(*client), options.token_webhook.version,
                      options.token_webhook.cache_ttl};
}

WebhookToken review_token(const TokenWebhook& webhook, WebhookAsking& asking, Time now,
                          std::string_view token, const std::vector<std::string>& audiences) {
  std::string spec = spec_of(token, audiences);
  std::string key = sha256(spec);  // so that tokens are not kept
  if (const std::string* kept = asking.tokens.find(key, now)) return read_status(*kept, audiences);
  WebhookToken unknown;
  unknown.error = "waits for an authentication webhook";
  if (asking.pending == nullptr) return unknown;
  const registry::PendingWork::Answer* answer =
      asking.pending->ask(std::make_unique<const registry::ReviewQuestion>(
          kTokenReview,
          registry::ReviewQuestion::Webhook{webhook.client, webhook.version,
                                            Duration::from_seconds(30)},
          key, std::move(spec)));
  if (answer == nullptr) return unknown;
  if (!answer->error.empty()) {
    unknown.error = answer->error;
    return unknown;
  }
  WebhookToken known = read_status(answer->text, audiences);
  if (Duration{} < webhook.ttl && known.error.empty()) {
    asking.tokens.put(std::move(key), answer->text, now + webhook.ttl);
  }
  return known;
}

}  // namespace tabernetes::auth

namespace tabernetes {

Expected<void> check_token_webhook(const TokenReviewWebhook& webhook,
                                   const std::map<std::string, std::string>& files) {
  if (webhook.kubeconfig.empty()) return {};
  if (webhook.version != "v1" && webhook.version != "v1beta1") {
    return Fault{"unsupported authentication webhook version " + go_quote(webhook.version) +
                 ", supported versions are \"v1\", \"v1beta1\""};
  }
  const auto client = registry::read_kubeconfig(webhook.kubeconfig, files);
  if (!client) return Fault{client.fault().message};
  return {};
}

}  // namespace tabernetes
