#include "controllers/access/service_account_tokens.h"

#include <array>
#include <initializer_list>

#include "base/text/base64.h"
#include "base/text/parts.h"
#include "controllers/access/token_secret.h"
#include "controllers/shared/objects.h"
#include "controllers/shared/root_certificate.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr int kMostTokenRetries = 10;

// What has changed: an account, or a Secret that was about an account. Upstream's queue has the
// same parts, since neither may exist any more when it is looked at.
struct KeyParts {
  bool of_secret = false;
  std::string_view ns, name, uid;
  std::string_view account, account_uid;  // of a Secret; the uid may be empty
};

constexpr char kSeparator = '\n';

std::string key_of(std::initializer_list<std::string_view> parts) {
  std::string key;
  for (const std::string_view part : parts) {
    if (!key.empty()) key += kSeparator;
    key += part;
  }
  return key;
}

KeyParts key_parts(std::string_view key) {
  std::array<std::string_view, 6> parts;
  for (std::string_view& part : parts) part = take_part(key, kSeparator);
  return {parts[0] == "secret", parts[1], parts[2], parts[3], parts[4], parts[5]};
}

// Returns the account if it has that uid (empty: any), or null.
Value account_of(const ReconcileContext& cluster, std::string_view ns, std::string_view name,
                 std::string_view uid) {
  const Value account = get(cluster, kServiceAccounts, ns, name);
  return account.is_null() || uid.empty() || uid_of(account) == uid ? account : Value();
}

// What went wrong, unless it is that the object is gone or another one by now.
template <typename T>
Result<void> unless_gone(const Result<T>& done) {
  if (done || done.error().code == 404 || done.error().code == 409) return {};
  return Failure(done.error());
}

Result<void> delete_token(const ReconcileContext& cluster, std::string_view ns,
                          std::string_view name, std::string_view uid) {
  return unless_gone(delete_object(cluster, {&type_of(cluster.registry, kSecrets), ns, name}, uid));
}

Result<void> delete_tokens_of(const ReconcileContext& cluster, const KeyParts& account) {
  Result<void> result;
  for (const Value& secret : list(cluster, kSecrets, account.ns)) {
    if (!is_token_secret(secret) || annotation_of(secret, kAccountName) != account.name ||
        annotation_of(secret, kAccountUid) != account.uid) {
      continue;
    }
    Result<void> deleted = delete_token(cluster, account.ns, name_of(secret), uid_of(secret));
    if (!deleted) result = std::move(deleted);
  }
  return result;
}

// Removes the name of a Secret that is gone from its account.
Result<void> remove_reference(const ReconcileContext& cluster, const KeyParts& secret) {
  const Value account = account_of(cluster, secret.ns, secret.account, secret.account_uid);
  if (account.is_null() || !names_secret(account, secret.name)) return {};
  return unless_gone(
      update(cluster, ref_of(cluster, kServiceAccounts, account), [&](Value& changed) {
        Value others = Value::array(cluster.arena);
        for (const Value& reference : items_in(changed, "secrets")) {
          if (reference.string_at("name") != secret.name)
            others.push_back(cluster.arena, reference);
        }
        changed.erase("secrets");
        if (others.size() > 0) changed.set(cluster.arena, "secrets", others);
      }));
}

std::string token_for(const ReconcileContext& cluster, const Value& account, const Value& secret) {
  json::Arena& arena = cluster.arena;
  const std::string user = "system:serviceaccount:" + std::string(namespace_of(account)) + ":" +
                           std::string(name_of(account));
  const std::string prefix = "kubernetes.io/serviceaccount/";
  const auto name = [&](std::string_view claim) { return arena.copy(prefix + std::string(claim)); };
  return cluster.signer->sign(
      object_of({{"iss", Value::string("kubernetes/serviceaccount")},
                 {name("namespace"), Value::string(namespace_of(account))},
                 {name("secret.name"), Value::string(name_of(secret))},
                 {name("service-account.name"), Value::string(name_of(account))},
                 {name("service-account.uid"), Value::string(uid_of(account))},
                 {"sub", text_value(user, arena)}},
                arena));
}

// Fills in what the Secret lacks.
Result<void> complete(const ReconcileContext& cluster, const Value& account, const Value& secret) {
  json::Arena& arena = cluster.arena;
  const std::string certificate = base64_encode(root_certificate_of(cluster));
  const bool needs_certificate = text_at(secret, {"data", "ca.crt"}) != certificate;
  const bool needs_namespace = text_at(secret, {"data", "namespace"}).empty();
  const bool needs_token = text_at(secret, {"data", "token"}).empty();
  if (!needs_certificate && !needs_namespace && !needs_token) return {};
  return unless_gone(update(cluster, ref_of(cluster, kSecrets, secret), [&](Value& changed) {
    Value& data = object_or_new(changed, "data", arena);
    if (needs_certificate) data.set(arena, "ca.crt", text_value(certificate, arena));
    if (needs_namespace) {
      data.set(arena, "namespace", text_value(base64_encode(namespace_of(changed)), arena));
    }
    if (needs_token) {
      const std::string token = base64_encode(token_for(cluster, account, changed));
      data.set(arena, "token", text_value(token, arena));
    }
    Value& annotations = object_or_new(*changed.find("metadata"), "annotations", arena);
    annotations.set(arena, kAccountName, Value::string(name_of(account)));
    annotations.set(arena, kAccountUid, Value::string(uid_of(account)));
  }));
}

Result<void> sync_secret(const ReconcileContext& cluster, const KeyParts& key) {
  const Value secret = get(cluster, kSecrets, key.ns, key.name);
  if (secret.is_null() || uid_of(secret) != key.uid) return remove_reference(cluster, key);
  const Value account = account_of(cluster, key.ns, key.account, key.account_uid);
  if (account.is_null()) return delete_token(cluster, key.ns, key.name, key.uid);
  return complete(cluster, account, secret);
}

}  // namespace

void ServiceAccountTokens::on_change(const registry::Registry&, const WatchEvent& change) {
  if (is(change.type, kServiceAccounts)) {
    if (change.now != nullptr) return;
    queue_.add(key_of({"account", change.ns, change.name, uid_of(change.object())}), change.due());
  } else if (is_token_secret(change)) {
    const Value& secret = change.object();
    const std::string_view account = annotation_of(secret, kAccountName);
    if (account.empty()) return;
    queue_.add(key_of({"secret", change.ns, change.name, uid_of(secret), account,
                       annotation_of(secret, kAccountUid)}),
               change.due());
  }
}

void ServiceAccountTokens::reconcile(const ReconcileContext& cluster, const std::string& key) {
  if (cluster.signer == nullptr) return;
  const KeyParts parts = key_parts(key);
  Result<void> done;
  if (parts.of_secret) {
    done = sync_secret(cluster, parts);
  } else if (account_of(cluster, parts.ns, parts.name, parts.uid).is_null()) {
    done = delete_tokens_of(cluster, parts);
  }
  if (done || queue_.failures(key) >= kMostTokenRetries) {
    queue_.forget(key);
  } else {
    queue_.add_rate_limited(key, cluster.now);
  }
}

}  // namespace tabernetes::controllers
