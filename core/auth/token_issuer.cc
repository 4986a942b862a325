#include "auth/token_issuer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/crypto/hash.h"
#include "base/text/base64.h"
#include "codec/json_reader.h"
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

// Returns the key that signs: `pem`, or the development key.
std::string_view own_pem(std::string_view pem) {
  const bool usable = EcKey::parse_pem(pem) || RsaKey::parse_pem(pem);
  return usable ? pem : kDevelopmentKey;
}

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
    std::optional<EcKey> point = EcKey::parse_pem(pem_);
    std::optional<RsaKey> rsa;
    if (!point) rsa = RsaKey::parse_pem(pem_);
    if (!point && !rsa) rsa = RsaKey::parse_pem(kDevelopmentKey);
    std::string id =
        base64url_encode(sha256(point ? point->public_key_info() : rsa->public_key_info()));
    std::string algorithm(point ? point->algorithm() : "RS256");
    using Own = std::variant<RsaKey, EcKey>;
    return Key{.own = point ? Own(std::move(*point)) : Own(std::move(*rsa)),
               .id = std::move(id),
               .algorithm = std::move(algorithm),
               .trusted = VerificationKey::parse_pem(trusted_.empty() ? own_pem(pem_) : trusted_)};
  });
}

std::string TokenIssuer::Key::sign(std::string_view message) const {
  if (const RsaKey* rsa = std::get_if<RsaKey>(&own)) return rsa->sign(message);
  return std::get_if<EcKey>(&own)->sign(message);
}

std::string TokenIssuer::issue(const json::Value& claims) const {
  const std::string signed_part =
      base64url_encode("{\"alg\":\"" + key().algorithm + "\",\"kid\":\"" + key().id + "\"}") + "." +
      base64url_encode(codec::json_text(claims));
  return signed_part + "." + base64url_encode(key().sign(signed_part));
}

std::string TokenIssuer::open(std::string_view token) const {
  const Dots dots = dots_of(token);
  if (!dots.found()) return {};
  const auto signature = base64url_decode(token.substr(dots.last + 1));
  const auto header = base64url_decode(token.substr(0, dots.first));
  if (!signature || !header) return {};
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(*header, arena);
  if (!read.ok()) return {};
  const std::string_view algorithm = read.value.string_at("alg");
  for (const VerificationKey& trusted : key().trusted) {
    if (trusted.verify(algorithm, token.substr(0, dots.last), *signature)) return claims_of(token);
  }
  return {};
}

std::string TokenIssuer::key_set() const {
  const auto coordinate = [](const std::string& name, std::string_view bytes) {
    return ",\"" + name + "\":\"" + base64url_encode(bytes) + "\"";
  };
  const EcKey* point = std::get_if<EcKey>(&key().own);
  std::string text = "{\"keys\":[{\"use\":\"sig\",\"kty\":\"";
  text.append(point != nullptr ? "EC" : "RSA").append("\",\"kid\":\"" + key().id + "\"");
  if (point != nullptr) text.append(",\"crv\":\"").append(point->curve()).append("\"");
  text += ",\"alg\":\"" + key().algorithm + "\"";
  if (point != nullptr) {
    text += coordinate("x", point->x()) + coordinate("y", point->y());
  } else {
    const RsaKey& rsa = *std::get_if<RsaKey>(&key().own);
    text += coordinate("n", rsa.modulus()) + coordinate("e", rsa.exponent());
  }
  return text + "}]}";
}

std::string claims_of(std::string_view token) {
  const Dots dots = dots_of(token);
  if (!dots.found()) return {};
  return base64url_decode(token.substr(dots.first + 1, dots.last - dots.first - 1)).value_or("");
}

}  // namespace tabernetes::auth

namespace tabernetes {

Expected<void> check_signing_key(std::string_view pem) {
  if (RsaKey::parse_pem(pem) || EcKey::parse_pem(pem)) return {};
  return Fault{"no RSA or ECDSA private key in PEM"};
}

Expected<void> check_verification_keys(std::string_view pem) {
  if (!VerificationKey::parse_pem(pem).empty()) return {};
  return Fault{"data does not contain any valid RSA or ECDSA public keys"};
}

}  // namespace tabernetes
