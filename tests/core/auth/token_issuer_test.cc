#include "auth/token_issuer.h"

#include <catch2/catch_test_macros.hpp>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "tabernetes/options.h"

namespace tabernetes::auth {
namespace {

constexpr std::string_view kClaims = R"({"aud":["a"],"exp":1,"iss":"i"})";

std::string issued(const TokenIssuer& issuer) {
  json::Arena arena;
  return issuer.issue(codec::read_json(kClaims, arena).value);
}

TEST_CASE("token issuer: opens what it has signed", "[auth]") {
  const TokenIssuer issuer("");
  const std::string token = issued(issuer);
  CHECK(issuer.open(token) == kClaims);
  CHECK(claims_of(token) == kClaims);
}

TEST_CASE("token issuer: opens nothing else", "[auth]") {
  const TokenIssuer issuer("");
  const std::string token = issued(issuer);
  for (std::size_t i = 0; i < token.size(); i += 11) {
    std::string other = token;
    other[i] = other[i] == 'A' ? 'B' : 'A';
    CHECK(issuer.open(other) == "");
    CHECK(issuer.open(token.substr(0, i)) == "");
  }
  CHECK(issuer.open("") == "");
  CHECK(issuer.open("..") == "");
  CHECK(issuer.open(token + ".x") == "");
  CHECK(claims_of("a.b") == "");
}

TEST_CASE("token issuer: a key set names the key that tokens name", "[auth]") {
  const TokenIssuer issuer("");
  const std::string set = issuer.key_set();
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(set, arena);
  REQUIRE(read.ok());
  const json::Value& key = read.value.find("keys")->items()[0];
  CHECK(key.string_at("alg") == "RS256");
  CHECK(key.string_at("e") == "AQAB");
  CHECK(key.string_at("n").size() == 342);
  CHECK(key.string_at("kid").size() == 43);
}

TEST_CASE("token issuer: what is no key", "[auth]") {
  CHECK_FALSE(check_signing_key(""));
  CHECK_FALSE(check_signing_key("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"));
}

}  // namespace
}  // namespace tabernetes::auth
