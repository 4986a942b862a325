#include "controllers/access/bootstrap_tokens.h"

#include <map>

#include "base/crypto/hmac.h"
#include "base/text/base64.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/fill.h"
#include "kinds/shared/bootstrap_tokens.h"

namespace tabernetes::controllers {
namespace {

using json::Value;
using registry::kinds::BootstrapToken;

constexpr std::string_view kSecretsHome = "kube-system";
constexpr std::string_view kInfoHome = "kube-public", kInfoName = "cluster-info";
constexpr std::string_view kSignaturePrefix = "jws-kubeconfig-";

bool is_bootstrap_secret(const Value& secret) {
  return secret.string_at("type") == registry::kinds::kBootstrapTokenType;
}

bool is_bootstrap_secret(const WatchEvent& change) {
  return change.ns == kSecretsHome && is(change.type, kSecrets) &&
         is_bootstrap_secret(change.object());
}

// Returns a JSON web signature of `content` that leaves the content out.
std::string detached_signature(std::string_view content, const BootstrapToken& token) {
  const std::string header = base64url_encode(R"({"alg":"HS256","kid":")" + token.id + "\"}");
  return header + ".." +
         base64url_encode(hmac_sha256(token.secret, header + "." + base64url_encode(content)));
}

using Signatures = std::map<std::string, std::string>;  // by key of the ConfigMap

Signatures signatures_of(const ReconcileContext& cluster, std::string_view content) {
  Signatures signatures;
  for (const Value& secret : list(cluster, kSecrets, kSecretsHome)) {
    if (!is_bootstrap_secret(secret)) continue;
    const auto token =
        registry::kinds::usable_token(secret, registry::kinds::TokenUsage::kSigning, cluster.now);
    if (!token) continue;
    signatures[std::string(kSignaturePrefix) + token->id] = detached_signature(content, *token);
  }
  return signatures;
}

Signatures signatures_in(const Value& info) {
  Signatures present;
  for (const json::Member& entry : members_at(info, {"data"})) {
    if (entry.key.starts_with(kSignaturePrefix)) {
      present.emplace(entry.key, entry.value.as_string());
    }
  }
  return present;
}

}  // namespace

void TokenCleaner::on_change(const registry::Registry&, const WatchEvent& change) {
  if (change.now != nullptr && is_bootstrap_secret(change)) queue_.add(change.name, change.due());
}

void TokenCleaner::reconcile(const ReconcileContext& cluster, const std::string& key) {
  const Value secret = get(cluster, kSecrets, kSecretsHome, key);
  if (secret.is_null() || !is_bootstrap_secret(secret)) return;
  const auto expires = registry::kinds::token_expiration(secret);
  if (!expires) return;
  if (*expires > cluster.now) {
    queue_.add(key, *expires, Recurrence::kPeriodic);
  } else {
    (void)delete_object(cluster, ref_of(cluster, kSecrets, secret), uid_of(secret));
  }
}

void BootstrapSigner::on_change(const registry::Registry&, const WatchEvent& change) {
  const bool of_info = change.now != nullptr && change.ns == kInfoHome &&
                       change.name == kInfoName && is(change.type, kConfigMaps);
  if (of_info || is_bootstrap_secret(change)) queue_.add("", change.due());
}

void BootstrapSigner::reconcile(const ReconcileContext& cluster, const std::string&) {
  const Value info = get(cluster, kConfigMaps, kInfoHome, kInfoName);
  if (info.is_null() || info.at({"data", "kubeconfig"}) == nullptr) return;
  const Signatures wanted = signatures_of(cluster, text_at(info, {"data", "kubeconfig"}));
  const Signatures present = signatures_in(info);
  if (wanted == present) return;
  // What fails is done again when the ConfigMap or a token changes.
  (void)update(cluster, ref_of(cluster, kConfigMaps, info), [&](Value& changed) {
    Value& data = object_or_new(changed, "data", cluster.arena);
    for (const auto& [key, signature] : present) data.erase(key);
    for (const auto& [key, signature] : wanted) {
      data.set(cluster.arena, cluster.arena.copy(key), text_value(signature, cluster.arena));
    }
  });
}

}  // namespace tabernetes::controllers
