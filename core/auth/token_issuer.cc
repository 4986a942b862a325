#include "auth/token_issuer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/crypto/hash.h"
#include "base/text/base64.h"
#include "codec/json_writer.h"
#include "tabernetes/options.h"

namespace tabernetes::auth {
namespace {

// The development key, 2048 bits.
constexpr std::string_view kDevelopmentKey =
    "-----BEGIN RSA PRIVATE KEY-----\n"
    "MIIEowIBAAKCAQEAn52+JKYpvNvI3dqRpWMSVmn4kj9CXh1ZCjuxr4KQsIET3VsU\n"
    "GOsp+VOXNdJnGDYbbX63qBZcF9xpLg4yuQjCncQNcdnqS92jGx3jGWpME4xPkCjw\n"
    "wIX2CEVMwetTtBwGeKXkNrGolvKbG/B1z4ZI3iVtMJsGezYsBq4AZhxehD6lkxM2\n"
    "hm0udnd+f7JEvmydzNbG+3ksnthWKTB/rJ6Fm+4ycOZxoFtdrc8xsMLapvSAy6hy\n"
    "lGHnlNcTJlDIuS2wMueJNwPNPXXUf2Ae/fB/yuDUuBovO/U42nNC8iPVMs1+iVfI\n"
    "WIpCz1AP/gafNFsok+zoil3pi/Z0YQUqyHcolQIDAQABAoIBAC7NUZIseMOMTHck\n"
    "3hz5EkjtVLoJO3weLdwOydiVN7jReFIpIRj3Z3zYkldxRNJ4Fw3BoLd0KvfCJMMg\n"
    "3aWc2HfrIygVhhpNuEQ8vLjYjssSksfKAWHqRcyCCXI4/veqWglpVyPkbvMn2uxT\n"
    "0y+RB++/WKduZXWeWkVxIuPOALbUsukv5YIrZ3SpC0jJuYPI+hYeukBPCsYzVg6C\n"
    "l8feJoLo5LjfsrlDwiAjUYbtfi9eLVKmlqe42kJbzLhnlcuROEAwUBLn0UfjfCc9\n"
    "NLZbHhTpBQdBoUL6UwhR8u3H7q7/koiAWCvgT02UAYR3uR21AI+Cq7Yq39au4OFJ\n"
    "OIDYZAcCgYEA1/Z+8mdfv4GueEmp34fp4KBTNLkwnZCWmlMjI5ykIm5ZuQLLmvIK\n"
    "El+H1icyWPL7a+hcf1XpL47PLe/bEAW9ErHb2en26V5XJn4ayt7IRNxJ72gR0XOG\n"
    "RSF28vVgGvuI8XgSS1ES24q4Xrl268HYNzjf3H4vyFkTeovx6SoWomcCgYEAvTUO\n"
    "r1koM7ue/N/p0U57yWHROe8w4Mg/sSrYD8FTmw5O4QmZVB7LYlBlzXMTrdjRBSgy\n"
    "2rUn9+63fXWMWJaSON141z5l0WDHOJHO+JD0eAaZzP1mzhCkvuSKr9C1/+q66mLj\n"
    "vJyQsU5JaWqlOKrGX+aHLCfNTl9dkdieFG/Fl6MCgYAiGKXESbPhPW05SpAKXZ/8\n"
    "OfPJEC/vwIM2jEew+KslUHzT6/APX4Vdjz2X/wpA5uPxDneEFyFAw/BL1WGlrvJC\n"
    "AFiwl/LGt4FU73X1b6T40jrOFIUzp2Sch4MLKthoiiv9y7I/t+YdSVKAihGPeURU\n"
    "u6MEYdvTatTbdTrVUDLQowKBgQCo7oBoCwCb//6Z5QoMuThIu69lPKy1ZdWIR6qV\n"
    "lpUhMgs3XayqsLwC0amzX/XIGHe3VQbiwzAma9skhxmB1x5C62sDM1EROolldroG\n"
    "sNW1fJ9BqVZq0e1mCwPQqlZ1Yoz0zMptEpUV2cIt/uv5xnBMG7XAtODYAsm2eGPb\n"
    "91fCZQKBgEH3S9bVBpoAprPiumfUrS+sTfe2eTMTJ6+xHGOKeE65hJDm/5MRLL7k\n"
    "Fe5x/MUVFDmKF4GLT3bFrYBxhn0TPVA5fKFg5qn+aT1FUURu7qYhxceU5wt2KF7T\n"
    "sBQC1fwJmjiKv4b8B74w6HlIvNRGczmsjY4EWlhy1CwteIQ2MjbV\n"
    "-----END RSA PRIVATE KEY-----\n";

// The dots around a token's claims; not found() unless it has three parts.
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
    std::optional<RsaKey> rsa = RsaKey::parse_pem(pem_);
    if (!rsa) rsa = RsaKey::parse_pem(kDevelopmentKey);
    std::string id = base64url_encode(sha256(rsa->public_key_info()));
    return Key{std::move(*rsa), std::move(id)};
  });
}

std::string TokenIssuer::issue(const json::Value& claims) const {
  const std::string signed_part =
      base64url_encode("{\"alg\":\"RS256\",\"kid\":\"" + key().id + "\"}") + "." +
      base64url_encode(codec::json_text(claims));
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
         base64url_encode(key().rsa.exponent()) + "\"}]}";
}

std::string claims_of(std::string_view token) {
  const Dots dots = dots_of(token);
  if (!dots.found()) return {};
  return base64url_decode(token.substr(dots.first + 1, dots.last - dots.first - 1)).value_or("");
}

}  // namespace tabernetes::auth

namespace tabernetes {

Expected<void> check_signing_key(std::string_view pem) {
  if (RsaKey::parse_pem(pem)) return {};
  return Fault{"no RSA private key in PEM"};
}

}  // namespace tabernetes
