// The Secrets of kube-system by whose tokens nodes join a cluster. Source:
// k8s.io/cluster-bootstrap.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "tabernetes/time.h"

namespace tabernetes::registry::kinds {

inline constexpr std::string_view kBootstrapTokenType = "bootstrap.kubernetes.io/token";
inline constexpr std::string_view kBootstrapTokenPrefix = "bootstrap-token-";

// Returns the decoded text of a Secret's key; empty if there is none.
std::string secret_text(const json::Value& secret, std::string_view key);

// What a token may be used for.
enum class TokenUsage { kAuthentication, kSigning };

struct BootstrapToken {
  std::string id, secret;
};
// Returns the token of a Secret that has the name of its token, has not expired, and has that
// usage.
std::optional<BootstrapToken> usable_token(const json::Value& secret, TokenUsage usage, Time now);

// Returns when the token expires, or nullopt: never. A text that is no time is long past.
std::optional<Time> token_expiration(const json::Value& secret);

// Returns the groups of those who use the token, sorted, or nullopt if one of them is not allowed.
std::optional<std::vector<std::string>> token_groups(const json::Value& secret);

// Returns the parts of `abcdef.0123456789abcdef`, or nullopt.
std::optional<BootstrapToken> parse_bootstrap_token(std::string_view token);

}  // namespace tabernetes::registry::kinds
