// Expected errors were recorded from kube-apiserver 1.36, given the same certificates as the
// caBundle of a conversion webhook.
#include "base/crypto/certificate.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "base/crypto/pem.h"
#include "base/text/base64.h"

namespace tabernetes {
namespace {

// Self-signed, version 3, RSA with 2048 bits, made with openssl.
constexpr std::string_view kBody =
    "MIIC+zCCAeOgAwIBAgIUZeJiCSeXWo5/d7/Ue1Xhr2nLJzswDQYJKoZIhvcNAQEL\n"
    "BQAwDTELMAkGA1UEAwwCY2EwHhcNMjYxMTIyMDgzODQ4WhcNMzYxMTE5MDgzODQ4\n"
    "WjANMQswCQYDVQQDDAJjYTCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEB\n"
    "AJ4MYEKuykJNXhqDjUvUS7Z+W+vzqYs4enEnT7+gHZqwh5Xur6GtBnWUtxx1zSXY\n"
    "iWLf3Mkb4BTQdpxjNIWVmc/kv1SYND4CIE4xmpXC70Djt5UAOJKsCWJd+Li2GH3f\n"
    "mIjQDD3bzq785rf9OBVGC5rB9Zm5YbHoOQWQaToS73iLo/UH+f6I8bv0YqrFsShb\n"
    "t2l2IVypADO5ef7ztfAH/62ONcEHasHRrOwrOK8vOjRBkE5wCNZg9jBU5cKBKUCN\n"
    "lQS+DxErvbjR2YIYiainWXtAuk3SQ6FX6p3WDmq0LDMtVGAl6SJoLCrjm8u9xvCY\n"
    "zk2w7M91yBuGO0JYvhDDVNMCAwEAAaNTMFEwHQYDVR0OBBYEFAq+/4+xxVThYDqx\n"
    "jHKsphMXBaU3MB8GA1UdIwQYMBaAFAq+/4+xxVThYDqxjHKsphMXBaU3MA8GA1Ud\n"
    "EwEB/wQFMAMBAf8wDQYJKoZIhvcNAQELBQADggEBAGOOOdaTbVL0u1BWJ165G9mv\n"
    "iQs1j+kyZAp0iHkSLPLMFFddGZwI08sj3J5E/N4TOkWvzGgYdwYR6XJMKEZWgOZP\n"
    "NSncol403FxMc3J0aiG4xmAWv+CRLGBGA4BJoyc+9OIdyGBjtbAlFlyLCMXFZGM+\n"
    "FgDAWVwHpovSexVfGXWLKbniFfERbHCiwPIrXWdv1I8mEWNu3ehNw2Ngc/iR2FI8\n"
    "0CKzNuFQIqG7hJcs0RtXCMZvP4qSwnZufJN6/tTbcmxfZ+okQmHdKkHI6Bc6T//y\n"
    "lX4ZL4vAOCQEmkHcZuw2YovKGLRC6/xSSpCZaOatL1IOtExtXBRNRVgD7FzSxI4=\n";
constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----\n";
constexpr std::string_view kEnd = "-----END CERTIFICATE-----\n";

std::string join(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

TEST_CASE("certificates: faults are told in Go's words", "[base]") {
  struct Case {
    std::size_t at;
    int byte;
    std::string_view fault;
  };
  static constexpr Case kCases[] = {
      {0, 0, "x509: malformed certificate"},
      {1, 255, "x509: malformed certificate"},
      {2, 0, "x509: malformed certificate"},
      {1, 0, "x509: malformed tbs certificate"},
      {4, 0, "x509: malformed tbs certificate"},
      {5, 255, "x509: malformed tbs certificate"},
      {3, 0, "x509: malformed signature"},
      {506, 0, "x509: malformed signature"},
      {507, 0, "x509: malformed signature"},
      {5, 0, "x509: malformed serial number"},
      {8, 0, "x509: malformed serial number"},
      {13, 0, "x509: malformed serial number"},
      {7, 0, "x509: malformed algorithm identifier"},
      {491, 0, "x509: malformed algorithm identifier"},
      {492, 255, "x509: malformed algorithm identifier"},
      {9, 0, "x509: malformed version"},
      {10, 0, "x509: malformed version"},
      {11, 0, "x509: malformed version"},
      {12, 3, "x509: invalid version"},
      {14, 21, "x509: malformed signature algorithm identifier"},
      {35, 0, "x509: malformed signature algorithm identifier"},
      {36, 255, "x509: malformed signature algorithm identifier"},
      {15, 128, "x509: negative serial number"},
      {36, 0, "x509: inner and outer signature algorithm identifiers don't match"},
      {37, 0, "x509: inner and outer signature algorithm identifiers don't match"},
      {38, 0, "x509: inner and outer signature algorithm identifiers don't match"},
      {50, 0, "x509: malformed issuer"},
      {51, 255, "x509: malformed issuer"},
      {66, 31, "x509: malformed issuer"},
      {51, 0, "x509: malformed validity"},
      {65, 0, "x509: malformed validity"},
      {66, 255, "x509: malformed validity"},
      {51, 12, "x509: invalid RDNSequence"},
      {52, 0, "x509: invalid RDNSequence"},
      {53, 0, "x509: invalid RDNSequence"},
      {53, 10, "x509: invalid RDNSequence: invalid attribute"},
      {54, 0, "x509: invalid RDNSequence: invalid attribute"},
      {55, 255, "x509: invalid RDNSequence: invalid attribute"},
      {55, 0, "x509: invalid RDNSequence: invalid attribute type"},
      {56, 0, "x509: invalid RDNSequence: invalid attribute type"},
      {57, 0, "x509: invalid RDNSequence: invalid attribute type"},
      {55, 8, "x509: invalid RDNSequence: invalid attribute value"},
      {57, 2, "x509: invalid RDNSequence: invalid attribute value"},
      {61, 255, "x509: invalid RDNSequence: invalid attribute value"},
      {61, 0, "x509: invalid RDNSequence: invalid attribute value: unsupported string type: 0"},
      {108, 0, "x509: invalid RDNSequence: invalid attribute value: unsupported string type: 0"},
      {61, 13, "x509: invalid RDNSequence: invalid attribute value: unsupported string type: 13"},
      {108, 13, "x509: invalid RDNSequence: invalid attribute value: unsupported string type: 13"},
      {61, 128, "x509: invalid RDNSequence: invalid attribute value: unsupported string type: 128"},
      {108, 128,
       "x509: invalid RDNSequence: invalid attribute value: unsupported string type: 128"},
      {61, 28, "x509: invalid RDNSequence: invalid attribute value: unsupported string type: 28"},
      {108, 28, "x509: invalid RDNSequence: invalid attribute value: unsupported string type: 28"},
      {63, 255, "x509: invalid RDNSequence: invalid attribute value: invalid UTF-8 string"},
      {64, 255, "x509: invalid RDNSequence: invalid attribute value: invalid UTF-8 string"},
      {110, 255, "x509: invalid RDNSequence: invalid attribute value: invalid UTF-8 string"},
      {66, 0, "x509: unsupported time format"},
      {67, 0, "x509: unsupported time format"},
      {82, 0, "x509: unsupported time format"},
      {66, 14, "x509: malformed UTCTime"},
      {68, 0, "x509: malformed UTCTime"},
      {69, 0, "x509: malformed UTCTime"},
      {98, 0, "x509: malformed spki"},
      {112, 0, "x509: malformed spki"},
      {113, 255, "x509: malformed spki"},
      {113, 0, "x509: malformed public key algorithm identifier"},
      {116, 0, "x509: malformed public key algorithm identifier"},
      {117, 255, "x509: malformed public key algorithm identifier"},
      {115, 0, "x509: malformed subjectPublicKey"},
      {117, 29, "x509: malformed subjectPublicKey"},
      {131, 0, "x509: malformed subjectPublicKey"},
      {117, 0, "x509: malformed OID"},
      {118, 0, "x509: malformed OID"},
      {119, 0, "x509: malformed OID"},
      {117, 12, "x509: malformed parameters"},
      {119, 8, "x509: malformed parameters"},
      {129, 255, "x509: malformed parameters"},
      {129, 0, "x509: RSA key missing NULL parameters"},
      {134, 0, "x509: invalid RSA public key"},
      {136, 0, "x509: invalid RSA public key"},
      {137, 255, "x509: invalid RSA public key"},
      {137, 0, "x509: invalid RSA modulus"},
      {139, 0, "x509: invalid RSA modulus"},
      {140, 0, "x509: invalid RSA modulus"},
      {143, 0, "x509: invalid RSA public exponent"},
      {401, 0, "x509: invalid RSA public exponent"},
      {402, 0, "x509: invalid RSA public exponent"},
      {144, 128, "x509: RSA modulus is not a positive number"},
      {403, 255, "x509: RSA public exponent is not a positive number"},
      {407, 0, "x509: malformed extensions"},
      {408, 0, "x509: malformed extensions"},
      {409, 255, "x509: malformed extensions"},
      {409, 80, "x509: malformed extension"},
      {410, 0, "x509: malformed extension"},
      {411, 255, "x509: malformed extension"},
      {411, 0, "x509: malformed extension OID field"},
      {412, 0, "x509: malformed extension OID field"},
      {413, 0, "x509: malformed extension OID field"},
      {411, 28, "x509: malformed extension value field"},
      {413, 2, "x509: malformed extension value field"},
      {417, 0, "x509: malformed extension value field"},
      {482, 0, "x509: malformed extension critical field"},
      {483, 254, "x509: malformed extension critical field"},
  };
  const std::string sound = base64_decode(kBody).value();
  const Certificate read = read_certificate(sound);
  CHECK(read.fault.empty());
  CHECK(read.algorithm == Certificate::kRsa);
  CHECK(read.public_key.size() == 270);
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.at << " " << c.byte) {
      std::string bytes = sound;
      bytes[c.at] = static_cast<char>(c.byte);
      CHECK(read_certificate(bytes).fault == c.fault);
    }
  }
  CHECK(read_certificate(sound + "x").fault == "x509: trailing data");
  CHECK(read_certificate({}).fault == "x509: malformed certificate");
}

TEST_CASE("certificates: no cut certificate is sound, and none is read beyond its end", "[base]") {
  const std::string sound = base64_decode(kBody).value();
  for (std::size_t size = 0; size < sound.size(); ++size) {
    const std::string cut = sound.substr(0, size);
    CHECK_FALSE(read_certificate(cut).fault.empty());
  }
}

TEST_CASE("certificates: whom a text in PEM names to trust", "[base]") {
  static constexpr std::string_view kNoBlock = "unable to parse bytes as PEM block";
  static constexpr std::string_view kNone = "no valid certificate authority data seen";
  static constexpr std::string_view kMalformed =
      "failed to parse certificate: x509: malformed certificate";
  const std::string sound = join({kBegin, kBody, kEnd});
  const std::string broken = join({kBegin, "YWJj\n", kEnd});
  const struct {
    std::string_view name;
    std::string text;
    std::string_view fault;
  } cases[] = {
      {"sound", sound, ""},
      {"no block", "x", kNoBlock},
      {"broken", broken, kMalformed},
      {"a broken one before", broken + sound, ""},
      {"a broken one behind", sound + broken, ""},
      {"of another type", join({"-----BEGIN OTHER-----\n", kBody, "-----END OTHER-----\n"}), kNone},
      {"with headers", join({kBegin, "A: b\n\n", kBody, kEnd}), kNone},
      {"another end", join({kBegin, kBody, "-----END CERTIFICATX-----\n"}), kNoBlock},
      {"nothing inside", join({kBegin, "\n", kEnd}), kMalformed},
      {"no line inside", join({kBegin, kEnd}), kMalformed},
      {"a beginning without an end before", join({kBegin, kBegin, kBody, kEnd}), ""},
      {"not at the beginning of a line", join({"x", kBegin, kBody, kEnd}), kNoBlock},
      {"text behind the end", join({kBegin, kBody, "-----END CERTIFICATE-----x\n"}), kNoBlock},
      {"no base64", join({kBegin, "!!!!\n", kEnd}), kNoBlock},
  };
  for (const auto& c : cases) {
    DYNAMIC_SECTION(c.name) {
      const std::string prefix = c.fault.empty() ? "" : "unable to load root certificates: ";
      CHECK(root_certificates_fault(c.text) == prefix + std::string(c.fault));
    }
  }
}

TEST_CASE("pem: blocks come one by one, with what their lines hold", "[base]") {
  std::string_view text =
      "chaff\n-----BEGIN A B-----\r\nZm 9v\r\n-----END A B-----  \n-----BEGIN C-----\nk: "
      "v\n\nZg==\n-----END C-----";
  const auto first = take_pem_block(text);
  REQUIRE(first);
  CHECK(first->type == "A B");
  CHECK(first->bytes == "foo");
  CHECK_FALSE(first->has_headers);
  const auto second = take_pem_block(text);
  REQUIRE(second);
  CHECK(second->type == "C");
  CHECK(second->bytes == "f");
  CHECK(second->has_headers);
  CHECK_FALSE(take_pem_block(text));
}

}  // namespace
}  // namespace tabernetes
