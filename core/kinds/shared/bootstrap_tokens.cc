#include "kinds/shared/bootstrap_tokens.h"

#include <algorithm>
#include <set>

#include "base/text/base64.h"
#include "base/text/parts.h"
#include "base/time/rfc3339.h"
#include "json/access.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

constexpr std::size_t kIdSize = 6, kSecretSize = 16;
constexpr std::string_view kBootstrappers = "system:bootstrappers";

bool is_token_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool is_token_part(std::string_view text, std::size_t size) {
  return text.size() == size && std::all_of(text.begin(), text.end(), &is_token_letter);
}

// Holds for `system:bootstrappers:` and up to 256 letters, digits, `:` and `-`, of which the last
// is a letter or digit.
bool is_bootstrap_group(std::string_view group) {
  if (!group.starts_with(kBootstrappers)) return false;
  group.remove_prefix(kBootstrappers.size());
  if (!group.starts_with(':')) return false;
  group.remove_prefix(1);
  return !group.empty() && group.size() <= 256 && is_token_letter(group.back()) &&
         std::all_of(group.begin(), group.end(),
                     [](char c) { return is_token_letter(c) || c == ':' || c == '-'; });
}

}  // namespace

std::string secret_text(const Value& secret, std::string_view key) {
  return base64_decode(text_at(secret, {"data", key})).value_or("");
}

std::optional<Time> token_expiration(const Value& secret) {
  const std::string text = secret_text(secret, "expiration");
  if (text.empty()) return std::nullopt;
  return parse_rfc3339(text).value_or(Time());
}

std::optional<BootstrapToken> usable_token(const Value& secret, TokenUsage usage, Time now) {
  BootstrapToken token{secret_text(secret, "token-id"), secret_text(secret, "token-secret")};
  const std::string_view name = text_at(secret, {"metadata", "name"});
  if (token.secret.empty() || !is_token_part(token.id, kIdSize) ||
      name != std::string(kBootstrapTokenPrefix) + token.id) {
    return std::nullopt;
  }
  const auto expires = token_expiration(secret);
  if (expires && *expires <= now) return std::nullopt;
  const std::string_view key =
      usage == TokenUsage::kSigning ? "usage-bootstrap-signing" : "usage-bootstrap-authentication";
  return secret_text(secret, key) == "true" ? std::optional(std::move(token)) : std::nullopt;
}

std::optional<std::vector<std::string>> token_groups(const Value& secret) {
  std::set<std::string> groups{std::string(kBootstrappers)};
  const std::string extra = secret_text(secret, "auth-extra-groups");
  if (!extra.empty()) {
    for (const std::string_view group : split(extra, ',')) {
      if (!is_bootstrap_group(group)) return std::nullopt;
      groups.emplace(group);
    }
  }
  return std::vector<std::string>(groups.begin(), groups.end());
}

std::optional<BootstrapToken> parse_bootstrap_token(std::string_view token) {
  const std::string_view id = take_part(token, '.');
  if (!is_token_part(id, kIdSize) || !is_token_part(token, kSecretSize)) return std::nullopt;
  return BootstrapToken{std::string(id), std::string(token)};
}

}  // namespace tabernetes::registry::kinds
