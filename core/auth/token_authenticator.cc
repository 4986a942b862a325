#include "auth/token_authenticator.h"

#include <algorithm>
#include <utility>

#include "auth/bootstrap_token.h"
#include "auth/service_account_token.h"

namespace tabernetes::auth {

Authenticated TokenAuthenticator::authenticate(std::string_view token,
                                               const std::vector<std::string>& audiences) const {
  Authenticated known = authenticate_here(token, audiences);
  if (known.user || asking == nullptr) return known;
  const auto add_error = [&](const std::string& error) {
    if (!error.empty()) known.error += (known.error.empty() ? "" : ", ") + error;
  };
  if (issuers != nullptr) {
    JwtCaller caller = authenticate_jwt(*issuers, *asking, now, token);
    if (caller.user) known.audiences = common_audiences({std::string(kIssuer)}, audiences);
    if (!known.audiences.empty()) known.user = std::move(caller.user);
    add_error(caller.error);
  }
  if (known.user || webhook == nullptr) return known;
  WebhookToken reviewed = review_token(*webhook, *asking, now, token, audiences);
  known.user = std::move(reviewed.user);
  known.audiences = std::move(reviewed.audiences);
  add_error(reviewed.error);
  return known;
}

// Asks everybody but the webhook.
Authenticated TokenAuthenticator::authenticate_here(
    std::string_view token, const std::vector<std::string>& audiences) const {
  const bool signed_claims = std::count(token.begin(), token.end(), '.') == 2;
  const User* in_file = file.find(token);
  if (in_file == nullptr && signed_claims) {
    return authenticate_service_account(*this, token, audiences);
  }
  std::optional<User> user;
  if (in_file != nullptr) {
    user = *in_file;
  } else if (bootstrap_tokens) {
    user = user_of_bootstrap_token(resources, objects, now, token);
  }
  Authenticated result;
  if (!user) return result;
  result.audiences = common_audiences({std::string(kIssuer)}, audiences);
  if (!result.audiences.empty()) result.user = std::move(user);
  return result;
}

std::vector<std::string> common_audiences(const std::vector<std::string>& some,
                                          const std::vector<std::string>& others) {
  std::vector<std::string> both;
  for (const std::string& text : some) {
    if (std::find(others.begin(), others.end(), text) != others.end()) both.push_back(text);
  }
  return both;
}

}  // namespace tabernetes::auth
