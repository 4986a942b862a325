// Issues the tokens of service accounts, and tells others by which key they are signed.
// Source: upstream 1.36 pkg/serviceaccount (jwt.go, openidmetadata.go).
#pragma once

#include <string>
#include <string_view>

#include "base/published.h"
#include "base/rsa.h"
#include "json/value.h"

namespace tabernetes::auth {

// Of all tokens, and the one audience that the server itself is.
inline constexpr std::string_view kIssuer = "https://kubernetes.default.svc";

class TokenIssuer {
 public:
  // Signs with the key of a PEM text; without one with a key that everybody knows (SECURITY.md).
  // REQUIRES: it is one, see check_signing_key() in tabernetes/options.h.
  explicit TokenIssuer(std::string_view pem) : pem_(pem) {}

  // A JSON web token with these claims.
  std::string issue(const json::Value& claims) const;
  // The claims of a token as JSON, if its signature is ours; else empty.
  std::string open(std::string_view token) const;

  // A JSON web key set.
  std::string key_set() const;

 private:
  struct Key {
    RsaKey rsa;
    std::string id;
  };
  const Key& key() const;  // most clusters never need it

  std::string pem_;
  Published<Key> key_;
};

// The claims of a JSON web token, whoever signed it; empty if it is none.
std::string claims_of(std::string_view token);

}  // namespace tabernetes::auth
