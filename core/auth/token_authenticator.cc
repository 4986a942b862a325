#include "auth/token_authenticator.h"

#include <algorithm>

#include "auth/service_account_token.h"

namespace tabernetes::auth {

Authenticated TokenAuthenticator::authenticate(std::string_view token,
                                               const std::vector<std::string>& audiences) const {
  const User* user = file.find(token);
  if (user == nullptr) {
    const bool signed_claims = std::count(token.begin(), token.end(), '.') == 2;
    return signed_claims ? authenticate_service_account(*this, token, audiences) : Authenticated();
  }
  Authenticated result;
  result.audiences = common_audiences({std::string(kIssuer)}, audiences);
  if (!result.audiences.empty()) result.user = *user;
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
