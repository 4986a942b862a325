#include "auth/bootstrap_token.h"

#include <string>
#include <utility>

#include "json/access.h"
#include "kinds/shared/bootstrap_tokens.h"
#include "registry/life/registry.h"

namespace tabernetes::auth {

std::optional<User> user_of_bootstrap_token(const registry::ResourceTable& resources,
                                            const store::Tree& objects, Time now,
                                            std::string_view token) {
  namespace kinds = registry::kinds;
  const auto sent = kinds::parse_bootstrap_token(token);
  if (!sent) return std::nullopt;
  json::Arena arena;
  const std::string name = std::string(kinds::kBootstrapTokenPrefix) + sent->id;
  const auto secret = registry::read_stored(
      objects, {resources.find("", "v1", "secrets"), "kube-system", name}, arena);
  if (!secret || json::has(*secret, {"metadata", "deletionTimestamp"}) ||
      secret->string_at("type") != kinds::kBootstrapTokenType) {
    return std::nullopt;
  }
  const auto known = kinds::usable_token(*secret, kinds::TokenUsage::kAuthentication, now);
  auto groups = kinds::token_groups(*secret);
  if (!known || known->secret != sent->secret || !groups) return std::nullopt;
  groups->push_back("system:authenticated");
  return User{
      .name = "system:bootstrap:" + sent->id, .uid = {}, .groups = *std::move(groups), .extra = {}};
}

}  // namespace tabernetes::auth
