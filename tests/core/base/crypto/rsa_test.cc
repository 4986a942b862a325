#include "base/crypto/rsa.h"

#include <catch2/catch_test_macros.hpp>
#include <utility>

namespace tabernetes {
namespace {

// Made by `openssl genrsa -traditional 1024` and `openssl pkcs8 -topk8 -nocrypt`; the signature by
// `openssl dgst -sha256 -sign`.
constexpr std::string_view kPkcs1 = R"(-----BEGIN RSA PRIVATE KEY-----
MIICXAIBAAKBgQCjlIoDZiNEBR15HjAtRn/0dZubvd6WuL/rTD6mvJ+gWESGCTNq
xMlPoBf5ppdt27L8gVTzw443j53qojwyiKWkKxlCbqp742MClIG3SBFozMWHjsqS
dnK7tGMJodNLNJP5iKEsZwC1tZvBXMZOms0ZPkRL5LJrtynFsIKfY9TXDQIDAQAB
AoGAfA0VbOZ0MA1BAKzoFC22s4jM7RrcRqjswmAb0w6Qb2UA8jTgDUQW9o+OHwE7
LVDDN8JMzl+q5m+/bkSCKkB+e/7LLt6Pi0n8+ZCYPwiOp7jXGkd+7dCY5qDxQyEu
7WrxA3FaKEyfREGdtc4h9jAGeI0Wa7gkU7Q3sdL4PMDpfAECQQDRoXWD0FI7kiFD
32ZYQJjz8i7KHmDGKlodjOu839IBXtzi2qvQvycLNb/tz++d5lgdoG7gQUZpJZnI
owI7apDNAkEAx8Ntg33ztRVT4jW8q0I7wDCP4+GCb8eHt441sxRnvTf2qbPTsAiQ
KkZnEmmAn5WNdLVKNA6EWLErawvPYjJfQQJAF6kWn3MS5QBgWs3LOmjIGriaCVwW
Zid/llhCf0Xv6RGw8rXlsKDyojRF3myaygKmrWlfOlaDwPhqfBfR96zWfQJBAIWo
wvu6KHg/HvM6VVSZanU7iOtGlgnIjYxJgLCjtI2shkQh6D/eWueOV6TAJqmgXRd7
vXx7Qh493Pkw27+uSIECQDgxGlmWtMVH+gENOiROFEy9gk6CKEh+0vjG6ix6f48A
Kk+Tg3xohP5PKYRE48/tOj65Qtkph5HNB/KeM+N/YHs=
-----END RSA PRIVATE KEY-----)";
constexpr std::string_view kPkcs8 = R"(-----BEGIN PRIVATE KEY-----
MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBAKOUigNmI0QFHXke
MC1Gf/R1m5u93pa4v+tMPqa8n6BYRIYJM2rEyU+gF/mml23bsvyBVPPDjjePneqi
PDKIpaQrGUJuqnvjYwKUgbdIEWjMxYeOypJ2cru0Ywmh00s0k/mIoSxnALW1m8Fc
xk6azRk+REvksmu3KcWwgp9j1NcNAgMBAAECgYB8DRVs5nQwDUEArOgULbaziMzt
GtxGqOzCYBvTDpBvZQDyNOANRBb2j44fATstUMM3wkzOX6rmb79uRIIqQH57/ssu
3o+LSfz5kJg/CI6nuNcaR37t0JjmoPFDIS7tavEDcVooTJ9EQZ21ziH2MAZ4jRZr
uCRTtDex0vg8wOl8AQJBANGhdYPQUjuSIUPfZlhAmPPyLsoeYMYqWh2M67zf0gFe
3OLaq9C/Jws1v+3P753mWB2gbuBBRmklmcijAjtqkM0CQQDHw22DffO1FVPiNbyr
QjvAMI/j4YJvx4e3jjWzFGe9N/aps9OwCJAqRmcSaYCflY10tUo0DoRYsStrC89i
Ml9BAkAXqRafcxLlAGBazcs6aMgauJoJXBZmJ3+WWEJ/Re/pEbDyteWwoPKiNEXe
bJrKAqataV86VoPA+Gp8F9H3rNZ9AkEAhajC+7ooeD8e8zpVVJlqdTuI60aWCciN
jEmAsKO0jayGRCHoP95a545XpMAmqaBdF3u9fHtCHj3c+TDbv65IgQJAODEaWZa0
xUf6AQ06JE4UTL2CToIoSH7S+MbqLHp/jwAqT5ODfGiE/k8phETjz+06PrlC2SmH
kc0H8p4z439gew==
-----END PRIVATE KEY-----)";
constexpr std::string_view kSignature =
    "21893792a18133a7d9b1d13477e4fa33c9744871c2db2d592606b7f20adbfa701658b7dd83bd37cd7803963f03"
    "a4e8dbde457e4c17733bf9191d6251bce0a484675c71821b36af18bdabe682735303392b7101871eefc6218bc0"
    "a7df7ff8b95abd14c6c8c0cf9b25129ff8cc64314c00824ee1da99796c6847fb891385bfaaf2";

std::string hex(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

TEST_CASE("rsa: signs as openssl does", "[base]") {
  for (const std::string_view pem : {kPkcs1, kPkcs8}) {
    const auto key = RsaKey::parse_pem(pem);
    REQUIRE(key);
    CHECK(hex(key->sign("hello world")) == kSignature);
  }
}

TEST_CASE("rsa: a key signs alike each time, and as a copy that was moved", "[base]") {
  auto key = RsaKey::parse_pem(kPkcs8);
  REQUIRE(key);
  for (int i = 0; i < 3; ++i) CHECK(hex(key->sign("hello world")) == kSignature);
  const RsaKey moved = std::move(*key);
  CHECK(hex(moved.sign("hello world")) == kSignature);
  CHECK(moved.sign("another") != moved.sign("hello world"));
}

TEST_CASE("rsa: verifies what it has signed, and nothing else", "[base]") {
  const auto key = RsaKey::parse_pem(kPkcs1);
  REQUIRE(key);
  std::string signature = key->sign("hello world");
  CHECK(key->verify("hello world", signature));
  CHECK_FALSE(key->verify("hello worle", signature));
  CHECK_FALSE(key->verify("hello world", signature.substr(1)));
  CHECK_FALSE(key->verify("hello world", ""));
  CHECK_FALSE(key->verify("hello world", std::string(signature.size(), '\xff')));
  signature[40] = static_cast<char>(signature[40] ^ 1);
  CHECK_FALSE(key->verify("hello world", signature));
}

TEST_CASE("rsa: shows its public key as openssl does", "[base]") {
  const auto key = RsaKey::parse_pem(kPkcs1);
  REQUIRE(key);
  CHECK(hex(key->public_key_info()) ==
        "30819f300d06092a864886f70d010101050003818d0030818902818100a3948a03662344051d791e302d467ff4"
        "759b9bbdde96b8bfeb4c3ea6bc9fa058448609336ac4c94fa017f9a6976ddbb2fc8154f3c38e378f9deaa23c32"
        "88a5a42b19426eaa7be363029481b7481168ccc5878eca927672bbb46309a1d34b3493f988a12c6700b5b59bc1"
        "5cc64e9acd193e444be4b26bb729c5b0829f63d4d70d0203010001");
  CHECK(key->modulus().size() == 128);
  CHECK(hex(key->exponent()) == "010001");
}

TEST_CASE("rsa: what is no key is none", "[base]") {
  CHECK_FALSE(RsaKey::parse_pem(""));
  CHECK_FALSE(RsaKey::parse_pem("-----BEGIN RSA PRIVATE KEY-----"));
  CHECK_FALSE(
      RsaKey::parse_pem("-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----"));
  // Truncated at every position, and with each character replaced.
  for (std::size_t i = 0; i < kPkcs1.size(); i += 7) {
    CHECK_FALSE(RsaKey::parse_pem(kPkcs1.substr(0, i)));
    std::string bad(kPkcs1);
    bad[i] = bad[i] == 'A' ? 'B' : 'A';
    const auto key = RsaKey::parse_pem(bad);
    if (key) CHECK(key->modulus() == RsaKey::parse_pem(kPkcs1)->modulus());
  }
}

}  // namespace
}  // namespace tabernetes
