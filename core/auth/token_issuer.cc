#include "auth/token_issuer.h"

#include <algorithm>

#include "base/base64.h"
#include "base/hash.h"
#include "codec/json_writer.h"
#include "tabernetes/identity.h"

namespace tabernetes::auth {
namespace {

// The development key: p, q, d mod p-1, d mod q-1, 1/q mod p, of 1024 bits each.
constexpr std::string_view kDevelopmentKey =
    "1/Z+8mdfv4GueEmp34fp4KBTNLkwnZCWmlMjI5ykIm5ZuQLLmvIKEl+H1icyWPL7a+hcf1XpL47PLe/bEAW9ErHb2e"
    "n26V5XJn4ayt7IRNxJ72gR0XOGRSF28vVgGvuI8XgSS1ES24q4Xrl268HYNzjf3H4vyFkTeovx6SoWome9NQ6vWSgz"
    "u5783+nRTnvJYdE57zDgyD+xKtgPwVObDk7hCZlUHstiUGXNcxOt2NEFKDLatSf37rd9dYxYlpI43XjXPmXRYMc4kc"
    "74kPR4BpnM/WbOEKS+5Iqv0LX/6rrqYuO8nJCxTklpaqU4qsZf5ocsJ81OX12R2J4Ub8WXoyIYpcRJs+E9bTlKkApd"
    "n/w588kQL+/AgzaMR7D4qyVQfNPr8A9fhV2PPZf/CkDm4/EOd4QXIUDD8EvVYaWu8kIAWLCX8sa3gVTvdfVvpPjSOs"
    "4UhTOnZJyHgwsq2GiKK/3Lsj+35h1JUoCKEY95RFS7owRh29Nq1Nt1OtVQMtCjqO6AaAsAm//+meUKDLk4SLuvZTys"
    "tWXViEeqlZaVITILN12sqrC8AtGps1/1yBh3t1UG4sMwJmvbJIcZgdceQutrAzNRETqJZXa6BrDVtXyfQalWatHtZg"
    "sD0KpWdWKM9MzKbRKVFdnCLf7r+cZwTBu1wLTg2ALJtnhj2/dXwmVB90vW1QaaAKaz4rpn1K0vrE33tnkzEyevsRxj"
    "inhOuYSQ5v+TESy+5BXucfzFFRQ5iheBi092xa2AcYZ9Ez1QOXyhYOap/mk9RVFEbu6mIcXHlOcLdihe07AUAtX8CZ"
    "o4ir+G/Ae+MOh5SLzURnM5rI2OBFpYctQsLXiENjI21Q==";
constexpr std::size_t kPartBytes = 128;

RsaKey development_key() {
  const std::string bytes = base64_decode(kDevelopmentKey).value_or("");
  const auto part = [&](std::size_t i) {
    return std::string_view(bytes).substr(i * kPartBytes, kPartBytes);
  };
  return RsaKey({part(0), part(1), part(2), part(3), part(4)});
}

RsaKey key_of(std::string_view pem) {
  if (auto key = RsaKey::parse_pem(pem)) return std::move(*key);
  return development_key();
}

// Where the claims of a token end; nothing if it has not three parts.
struct Dots {
  std::size_t first = std::string_view::npos, last = std::string_view::npos;
  bool found() const { return last != std::string_view::npos && first < last; }
};
Dots dots_of(std::string_view token) {
  if (std::count(token.begin(), token.end(), '.') != 2) return {};
  return {token.find('.'), token.rfind('.')};
}

}  // namespace

const TokenIssuer::Key& TokenIssuer::key() const {
  return key_.get_or_make([&] {
    RsaKey rsa = key_of(pem_);
    std::string id = base64url_encode(sha256(rsa.public_key_info()));
    return Key{std::move(rsa), std::move(id)};
  });
}

std::string TokenIssuer::issue(const json::Value& claims) const {
  std::string payload;
  codec::write_json(claims, payload);
  const std::string signed_part =
      base64url_encode("{\"alg\":\"RS256\",\"kid\":\"" + key().id + "\"}") + "." +
      base64url_encode(payload);
  return signed_part + "." + base64url_encode(key().rsa.sign(signed_part));
}

std::string TokenIssuer::open(std::string_view token) const {
  const Dots dots = dots_of(token);
  if (!dots.found()) return {};
  const auto signature = base64url_decode(token.substr(dots.last + 1));
  if (!signature || !key().rsa.verify(token.substr(0, dots.last), *signature)) return {};
  return claims_of(token);
}

std::string TokenIssuer::key_set() const {
  return "{\"keys\":[{\"use\":\"sig\",\"kty\":\"RSA\",\"kid\":\"" + key().id +
         "\",\"alg\":\"RS256\",\"n\":\"" + base64url_encode(key().rsa.modulus()) + "\",\"e\":\"" +
         base64url_encode(RsaKey::exponent()) + "\"}]}";
}

std::string claims_of(std::string_view token) {
  const Dots dots = dots_of(token);
  if (!dots.found()) return {};
  return base64url_decode(token.substr(dots.first + 1, dots.last - dots.first - 1)).value_or("");
}

}  // namespace tabernetes::auth

namespace tabernetes {

bool is_signing_key(std::string_view pem) { return RsaKey::parse_pem(pem).has_value(); }

}  // namespace tabernetes
