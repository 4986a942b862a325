// Issues the tokens of service accounts, and verifies their signatures. Source: upstream 1.36
// pkg/serviceaccount (jwt.go, openidmetadata.go).
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/algorithm/atomic_lazy.h"
#include "base/crypto/ecdsa.h"
#include "base/crypto/rsa.h"
#include "base/crypto/verification_key.h"
#include "json/value.h"

namespace tabernetes::auth {

// The issuer of all tokens, and the server's only audience.
inline constexpr std::string_view kIssuer = "https://kubernetes.default.svc";

class TokenIssuer {
 public:
  // Signs with the key in a PEM text, or with the public development key if empty (SECURITY.md).
  // Accepts signatures of the keys in `trusted`, a PEM text, too; if it is empty, of its own key
  // only. REQUIRES: `pem` is a valid key, see check_signing_key() in tabernetes/options.h.
  explicit TokenIssuer(std::string_view pem, std::string_view trusted = {})
      : pem_(pem), trusted_(trusted) {}

  // Returns a JSON web token with these claims.
  std::string issue(const json::Value& claims) const;
  // Returns the claims of a token as JSON if its signature is ours; otherwise an empty text.
  std::string open(std::string_view token) const;

  // Returns a JSON web key set.
  std::string key_set() const;

 private:
  struct Key {
    std::variant<RsaKey, EcKey> own;
    std::string id, algorithm;
    std::vector<VerificationKey> trusted;

    std::string sign(std::string_view message) const;
  };
  const Key& key() const;  // created on first use; most clusters never need it

  std::string pem_, trusted_;
  AtomicLazy<Key> key_;
};

// Returns the claims of a JSON web token without verifying it; empty if malformed.
std::string claims_of(std::string_view token);

}  // namespace tabernetes::auth
