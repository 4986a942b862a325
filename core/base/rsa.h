// RSASSA-PKCS1-v1_5 with SHA-256 (RS256 of JSON web tokens): signing and verifying, no more.
//
// Numbers of arbitrary length with Montgomery multiplication, in a few dozen lines: mbedTLS' big
// numbers alone would cost the package several times as much. Not written to withstand somebody who
// measures times: keys here serve clusters for development (SECURITY.md).
// Source: RFC 8017, 5.2 and 8.2.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes {

// A private key with the public exponent 65537.
class RsaKey {
 public:
  // Of its parts as big-endian numbers: primes, exponents for each, and the inverse of the second
  // prime modulo the first.
  struct Parts {
    std::string_view p, q, dp, dq, q_inverse;
  };
  explicit RsaKey(const Parts& parts);
  // Reads a PEM text, `RSA PRIVATE KEY` (PKCS #1) or `PRIVATE KEY` (PKCS #8). Nothing if it is
  // none, or too short or too long a key (1024 to 8192 bits).
  static std::optional<RsaKey> parse_pem(std::string_view pem);

  std::string sign(std::string_view message) const;
  bool verify(std::string_view message, std::string_view signature) const;

  // The modulus, big-endian; the exponent; both as a SubjectPublicKeyInfo.
  std::string modulus() const;
  static std::string_view exponent() { return {"\x01\x00\x01", 3}; }
  std::string public_key_info() const;

 private:
  using Number = std::vector<std::uint32_t>;  // least significant first
  Number p_, q_, dp_, dq_, q_inverse_, n_;

  std::string padded(std::string_view message) const;
};

}  // namespace tabernetes
