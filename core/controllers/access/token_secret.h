// The Secrets that have a service account's token.
#pragma once

#include <string_view>

#include "controllers/loop/control_loop.h"
#include "controllers/shared/objects.h"
#include "json/access.h"

namespace tabernetes::controllers {

inline constexpr std::string_view kTokenSecretType = "kubernetes.io/service-account-token";
inline constexpr std::string_view kAccountName = "kubernetes.io/service-account.name";
inline constexpr std::string_view kAccountUid = "kubernetes.io/service-account.uid";

inline bool is_token_secret(const json::Value& secret) {
  return secret.string_at("type") == kTokenSecretType;
}
// The same of what has changed.
inline bool is_token_secret(const WatchEvent& change) {
  const store::Record* record = change.now != nullptr ? change.now : change.before;
  return is(change.type, kSecrets) && record->bytes.find(kTokenSecretType) != std::string::npos &&
         is_token_secret(change.object());
}

inline std::string_view annotation_of(const json::Value& object, std::string_view name) {
  return text_at(object, {"metadata", "annotations", name});
}

// Returns whether an account's list of secrets has that name.
inline bool names_secret(const json::Value& account, std::string_view name) {
  for (const json::Value& reference : items_in(account, "secrets")) {
    if (reference.string_at("name") == name) return true;
  }
  return false;
}

}  // namespace tabernetes::controllers
