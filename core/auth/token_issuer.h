// Issues the tokens of service accounts, and verifies their signatures. Source: upstream 1.36
// pkg/serviceaccount (jwt.go, openidmetadata.go).
#pragma once

#include <string>
#include <string_view>

#include "base/algorithm/atomic_lazy.h"
#include "base/crypto/rsa.h"
#include "json/value.h"

namespace tabernetes::auth {

// The issuer of all tokens, and the server's only audience.
inline constexpr std::string_view kIssuer = "https://kubernetes.default.svc";

class TokenIssuer {
 public:
  // Signs with the key in a PEM text, or with the public development key if empty (SECURITY.md).
  // REQUIRES: `pem` is a valid key, see check_signing_key() in tabernetes/options.h.
  explicit TokenIssuer(std::string_view pem) : pem_(pem) {}

  // Returns a JSON web token with these claims.
  std::string issue(const json::Value& claims) const;
  // Returns the claims of a token as JSON if its signature is ours; otherwise an empty text.
  std::string open(std::string_view token) const;

  // Returns a JSON web key set.
  std::string key_set() const;

 private:
  struct Key {
    RsaKey rsa;
    std::string id;
  };
  const Key& key() const;  // created on first use; most clusters never need it

  std::string pem_;
  AtomicLazy<Key> key_;
};

// Returns the claims of a JSON web token without verifying it; empty if malformed.
std::string claims_of(std::string_view token);

}  // namespace tabernetes::auth
